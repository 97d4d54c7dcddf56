/* zip.c - a zip file whose members are stored as they are, written once from front to back (APPNOTE.TXT 6.3, sections 4.3 and 4.4) */
#include "pack.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL = 30, CENTRAL = 46, END = 22, MOST_MEMBERS = 65535 };
/* 1 January 1980, the first day it knows: the same content gives the same bytes */
enum { DAY = 1 << 5 | 1, UTF8_NAMES = 1 << 11, VERSION = 20 };

struct zip {
  FILE *f;
  int n, trouble;
  uint64_t at;                         /* bytes written so far */
  char *list;                          /* the directory at the end, as it grows */
  size_t listed;
};

static uint32_t crc32_of(const unsigned char *x, size_t n)
{
  uint32_t table[256], c = 0xFFFFFFFFu;
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int k = 0; k < 8; k++) table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xEDB88320u : table[i] >> 1;
  }
  for (; n; n--) c = table[(c ^ *x++) & 255] ^ c >> 8;
  return ~c;
}

/* little endian, whatever the machine is */
static char *put(char *to, uint32_t x, int bytes)
{
  for (; bytes; bytes--, x >>= 8) *to++ = (char)(x & 255);
  return to;
}

static void write_bytes(zip *z, const void *x, size_t n)
{
  if (!z->trouble && n && fwrite(x, 1, n, z->f) != n) z->trouble = errno ? errno : EIO;
  z->at += n;
}

zip *zip_begin(FILE *f)
{
  zip *z = need(sizeof *z);
  z->f = f;
  return z;
}

/* what both heads of a member have in common */
static char *put_common(char *to, uint32_t crc, uint32_t size, uint32_t name)
{
  to = put(put(put(to, VERSION, 2), UTF8_NAMES, 2), 0, 2);
  to = put(put(put(to, 0, 2), DAY, 2), crc, 4);
  return put(put(put(put(to, size, 4), size, 4), name, 2), 0, 2);
}

int zip_add(zip *z, const char *name, const void *bytes, size_t size)
{
  char head[LOCAL], *entry;
  size_t length = strlen(name);
  /* beyond this the format has another directory, which we do not write */
  if (z->at + size + length + z->listed + 2*CENTRAL > UINT32_MAX || z->n == MOST_MEMBERS) return z->trouble = EFBIG;
  uint32_t crc = crc32_of(bytes, size), from = (uint32_t)z->at;
  put_common(put(head, 0x04034B50, 4), crc, (uint32_t)size, (uint32_t)length);
  write_bytes(z, head, LOCAL);
  write_bytes(z, name, length);
  write_bytes(z, bytes, size);
  z->list = grown(z->list, z->listed + CENTRAL + length);
  entry = z->list + z->listed;
  entry = put_common(put(put(entry, 0x02014B50, 4), VERSION, 2), crc, (uint32_t)size, (uint32_t)length);
  /* a name, no comment, disk 0, no attributes, where it begins */
  entry = put(put(put(put(put(entry, 0, 2), 0, 2), 0, 2), 0, 4), from, 4);
  memcpy(entry, name, length);
  z->listed += CENTRAL + length;
  z->n++;
  return z->trouble;
}

int zip_end(zip *z)
{
  char end[END], *to = end;
  uint32_t from = (uint32_t)z->at, size = (uint32_t)z->listed;
  write_bytes(z, z->list, z->listed);
  to = put(put(put(to, 0x06054B50, 4), 0, 2), 0, 2);
  to = put(put(to, (uint32_t)z->n, 2), (uint32_t)z->n, 2);
  put(put(put(to, size, 4), from, 4), 0, 2);
  write_bytes(z, end, END);
  int trouble = z->trouble;
  free(z->list);
  free(z);
  return trouble;
}
