/* new.c - the verb new: a model of the user's to begin with */
#include "tool.h"
#include "embedded.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int usable(const char *name)
{
  if (!isalpha((unsigned char)*name)) return 0;
  for (; *name; name++) if (!isalnum((unsigned char)*name) && !strchr("-_", *name)) return 0;
  return 1;
}

/* the template is a whole model that is called mymodel */
int act_new(const request *r)
{
  const char *dummy = "mymodel", *at = (const char *)TEMPLATE;
  if (r->nword != 1) return say(REFUSED, "new needs a name: `epicycle new mymodel > mymodel.c`");
  const char *name = r->word[0];
  size_t n = strlen(name) - (ends_with(name, ".c") ? 2 : 0);
  char *word = text("%.*s", (int)n, name);
  int good = usable(word);
  for (const char *next; good && (next = strstr(at, dummy)); at = next + strlen(dummy)) printf("%.*s%s", (int)(next - at), at, word);
  if (good) fputs(at, stdout);
  else say(REFUSED, "'%s' cannot be the name of a model: take letters, digits, - and _, as in my-pump", name);
  free(word);
  return good ? DONE : REFUSED;
}
