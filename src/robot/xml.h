/* xml.h - elements and attributes of an XML text, as much of it as robots need: no document types, no entities but the five and numbers */
#ifndef EPI_XML_H
#define EPI_XML_H
#include "file/yaml/pool.h"

typedef struct xml_attribute { const char *name, *value; } xml_attribute;
typedef struct xml {
  const char *name;
  int line, attributes;
  xml_attribute *attribute;
  struct xml *child, *next;            /* the first inside of it, and the one after it */
} xml;
/* the outermost element; NULL: why has the sentence, or the pool is out. text is changed, and lives as long as what is read */
xml *epi_xml_read(pool *, char *text, size_t n, char *why, size_t size);
const char *epi_xml_value(const xml *, const char *attribute);         /* NULL: it has none of this name */
const xml *epi_xml_child(const xml *, const char *name);               /* the first; NULL: there is none */
#endif
