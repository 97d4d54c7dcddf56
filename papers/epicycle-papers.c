/* epicycle-papers.c - the program of the papers: `epicycle reproduce` becomes it, and has told its options and read them before */
#include "papers.h"

static const option options[] = {
  {.name = "--json"}, {.name = "--data", .value = "FILE"}, {.name = "--figures", .value = "DIR"}, {.name = "--words"}, {0}
};
static const verb VERBS[] = {{.name = "reproduce", .options = options}, {0}};
static const book BOOK = {.verbs = VERBS};

int main(int argc, char **argv)
{
  streams_guard();
  request r;
  int code = request_read(&r, &BOOK, VERBS, argc - 1, argv + 1), json = given(&r, "--json") != NULL;
  if (!code) code = given(&r, "--words") ? reproduce_words(&r) : reproduce(&r);
  request_free(&r);
  return streams_end(code, json);
}
