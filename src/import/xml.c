/* The adapter of expat. */
#include "import/xml.h"

#include <expat.h>

typedef struct parser {
    carom_arena *arena;
    const char *file;
    XML_Parser expat;
    carom_xml *root, *open;
    int depth;
    size_t elements;
    carom_status status; /* of the first failure */
} parser;

static carom_place place_of(const parser *p)
{
    return (carom_place){p->file, (int)XML_GetCurrentLineNumber(p->expat),
                         (int)XML_GetCurrentColumnNumber(p->expat) + 1};
}

/* Ends the parse with a message; the first one stays. */
static void stop(parser *p, carom_status status)
{
    if (p->status == CAROM_OK)
        p->status = status;
    XML_StopParser(p->expat, XML_FALSE);
}

static void refuse(parser *p, const char *text)
{
    const carom_place place = place_of(p);
    if (p->status == CAROM_OK)
        stop(p, carom_fail(p->arena->ctx, CAROM_ERROR_MODEL, &place, "%s", text));
}

/* ---- elements ---- */

static carom_status add_attributes(parser *p, carom_xml *element, const XML_Char **pairs)
{
    carom_xml_attribute **end = &element->attributes;
    for (; pairs[0]; pairs += 2) {
        carom_xml_attribute *a = carom_arena_alloc(p->arena, 1, sizeof *a);
        if (!a || !(a->name = carom_arena_text(p->arena, pairs[0])) ||
            !(a->value = carom_arena_text(p->arena, pairs[1])))
            return carom_fail_memory(p->arena->ctx);
        *end = a;
        end = &a->next;
    }
    return CAROM_OK;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **pairs)
{
    parser *p = user;
    if (p->status != CAROM_OK)
        return;
    if (++p->depth > CAROM_XML_DEPTH) {
        refuse(p, "elements are nested too deeply for a robot: is an end tag missing?");
        return;
    }
    if (++p->elements > CAROM_XML_ELEMENTS) {
        refuse(p, "more elements than a robot has: is it a URDF or MJCF file?");
        return;
    }
    carom_xml *element = carom_arena_alloc(p->arena, 1, sizeof *element);
    if (!element || !(element->name = carom_arena_text(p->arena, name)) ||
        add_attributes(p, element, pairs) != CAROM_OK) {
        stop(p, carom_fail_memory(p->arena->ctx));
        return;
    }
    element->place = place_of(p);
    element->parent = p->open;
    if (!p->open)
        p->root = element;
    else if (p->open->last)
        p->open->last->next = element;
    else
        p->open->first = element;
    if (p->open)
        p->open->last = element;
    p->open = element;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    parser *p = user;
    (void)name;
    p->depth--;
    if (p->open)
        p->open = p->open->parent;
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                               int internal)
{
    (void)name;
    (void)system;
    (void)public_id;
    (void)internal;
    refuse(user, "a document type (<!DOCTYPE>) is not read, as its entities may grow without bound; remove it");
}

/* ---- entry ---- */

static carom_status fail_expat(const parser *p)
{
    const enum XML_Error code = XML_GetErrorCode(p->expat);
    if (p->status != CAROM_OK)
        return p->status;
    if (code == XML_ERROR_NO_MEMORY)
        return carom_fail_memory(p->arena->ctx);
    const carom_place place = place_of(p);
    const char *remedy = code == XML_ERROR_TAG_MISMATCH ? "each <tag> ends with </tag> or />, in reverse order"
                         : code == XML_ERROR_NO_ELEMENTS
                             ? "the file has no element; a robot is a URDF (<robot>) or MJCF "
                               "(<mujoco>) file"
                         : code == XML_ERROR_DUPLICATE_ATTRIBUTE ? "remove one of both"
                         : code == XML_ERROR_UNBOUND_PREFIX      ? "declare its namespace, or remove it"
                         : !p->root ? "a robot is a URDF (<robot>) or MJCF (<mujoco>) file in XML"
                         : code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_PARTIAL_CHAR
                             ? "the file ends in the middle of it; is it complete?"
                             : "see what stands here";
    return carom_fail(p->arena->ctx, CAROM_ERROR_MODEL, &place, "no XML: %s; %s", XML_ErrorString(code), remedy);
}

carom_status carom_xml_parse(carom_arena *arena, const char *file, const char *text, size_t length, carom_xml **root,
                             size_t *elements)
{
    parser p = {.arena = arena, .file = file};
    carom_place start = {file, 1, 1};
    if (length > CAROM_XML_BYTES)
        return carom_fail(arena->ctx, CAROM_ERROR_MODEL, &start,
                          "the file is larger than %zu MB, which no description of a robot needs; meshes are files of "
                          "their own",
                          CAROM_XML_BYTES >> 20);
    p.expat = XML_ParserCreate(NULL);
    if (!p.expat)
        return carom_fail_memory(arena->ctx);
    XML_SetUserData(p.expat, &p);
    XML_SetElementHandler(p.expat, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(p.expat, on_doctype);
    carom_status status = CAROM_OK;
    if (XML_Parse(p.expat, text, (int)length, XML_TRUE) != XML_STATUS_OK || p.status != CAROM_OK)
        status = fail_expat(&p);
    XML_ParserFree(p.expat);
    *root = p.root;
    *elements = p.elements;
    return status;
}

/* ---- look-ups ---- */

static carom_xml *find(carom_xml *from, const char *name)
{
    for (carom_xml *e = from; e; e = e->next)
        if (strcmp(e->name, name) == 0) {
            e->used = true;
            return e;
        }
    return NULL;
}

carom_xml *carom_xml_child(carom_xml *parent, const char *name) { return find(parent->first, name); }

carom_xml *carom_xml_next(carom_xml *sibling, const char *name) { return find(sibling->next, name); }

const char *carom_xml_get(carom_xml *element, const char *name)
{
    for (carom_xml_attribute *a = element->attributes; a; a = a->next)
        if (strcmp(a->name, name) == 0) {
            a->used = true;
            return a->value;
        }
    return NULL;
}
