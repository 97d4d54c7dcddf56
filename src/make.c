/* make.c - flows from texts: what the public calls do before and after reading */
#include "registry.h"

epi_flow *epi_make_named_abi(const char *text, const epi_name *names, const epi_abi *abi)
{
  char error[EPI_SENTENCE_SIZE];
  return epi_abi_check(abi, error, sizeof error) ? epi_refused_flow(EPI_REQUEST, 0, error) : epi_make_text(text, names, &epi_words);
}

epi_flow *epi_make_abi(const char *text, epi_system *model, const epi_abi *abi)
{
  char error[EPI_SENTENCE_SIZE];
  if (epi_abi_check(abi, error, sizeof error)) return epi_refused_flow(EPI_REQUEST, 0, error);
  if (!model) return epi_refused_flow(EPI_REQUEST, 0, "there is no system: declare one and pass its address");
  return epi_make_text(text, (epi_name[]){{.name = "model", .system = model}, {0}}, &epi_words);
}

#undef epi_make
#undef epi_make_named
/* a program that was compiled before headers were compared calls these */
epi_flow *epi_make_named(const char *text, const epi_name *names)
{
  (void)text, (void)names;
  return epi_make_named_abi(NULL, NULL, NULL);
}

epi_flow *epi_make(const char *text, epi_system *model)
{
  (void)text, (void)model;
  return epi_make_abi(NULL, NULL, NULL);
}
