/* holds: the table of a paper is refused with its line, or read */
#include "fuzz.h"
#include "papers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_hush();
  paper p;
  char *text = need(size + 1);
  if (size) memcpy(text, data, size);
  int code = paper_read(&p, text, "fuzz.csv");
  hold(code == 0 || code == REFUSED);
  if (!code) {
    hold(p.name && p.cite && p.nentry + p.nclaim > 0);
    for (int i = 0; i < p.nentry; i++) hold(p.entry[i].step > 0 && p.entry[i].members >= 1);
  }
  paper_free(&p);
  return 0;
}
