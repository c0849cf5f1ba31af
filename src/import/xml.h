/* A description of a robot as a tree of XML elements with lines. The one adapter of expat. */
#ifndef CAROM_IMPORT_XML_H
#define CAROM_IMPORT_XML_H

#include "base/base.h"

#define CAROM_XML_BYTES ((size_t)16 << 20) /* largest description [byte] */
#define CAROM_XML_DEPTH 256                /* deepest nesting of elements */
#define CAROM_XML_ELEMENTS ((size_t)50000) /* most elements */

typedef struct carom_xml_attribute carom_xml_attribute;
struct carom_xml_attribute {
    const char *name, *value;
    bool used; /* an importer has read it */
    carom_xml_attribute *next;
};

typedef struct carom_xml carom_xml;
struct carom_xml {
    const char *name;
    carom_place place; /* of its '<' */
    carom_xml_attribute *attributes;
    carom_xml *parent, *first, *last, *next;
    bool used; /* an importer has read it */
};

/* Reads a document into the arena; `file` stands in messages and lives as long. A document type, and with it every
   entity of its own, is refused. Errors: CAROM_ERROR_MODEL with place and remedy, CAROM_ERROR_MEMORY. */
carom_status carom_xml_parse(carom_arena *arena, const char *file, const char *text, size_t length, carom_xml **root,
                             size_t *elements);

/* The first child of a name at or behind `from`, marked as used; NULL: there is none. */
carom_xml *carom_xml_child(carom_xml *parent, const char *name);
carom_xml *carom_xml_next(carom_xml *sibling, const char *name);
/* The value of an attribute, marked as used; NULL: not given. */
const char *carom_xml_get(carom_xml *element, const char *name);

#endif
