/* What the tests of the model reader share: the example of docs/model-format.md, an allocator that counts and fails,
   and readers of texts that must be right or wrong. */
#ifndef CAROM_TEST_READER_H
#define CAROM_TEST_READER_H

#include "carom_test.h"

#include <math.h>
#include <time.h>

#include "base/base.h"
#include "tree/tree.h"

/* The example of docs/model-format.md. */
static const char example[] =
    "carom: 1                               # format version\n"
    "title: Slider-crank hitting a free block (Machado et al. 2012, section 6)\n"
    "dimension: 2                           # 2: planar (x, y, angle); 3: spatial\n"
    "gravity: [0, -9.81]\n"
    "\n"
    "parameters: {L1: 0.153, L2: 0.306, a: 16.93*mm, omega: 150, e: 0.7, law: flores}\n"
    "\n"
    "bodies:\n"
    "  crank:  {mass: 0.038, inertia: 7.4e-5, at: [L1/2, 0], frames: {root: [-L1/2, 0], tip: [L1/2, 0]}}\n"
    "  rod:    {mass: 0.076, inertia: 5.9e-5, at: [L1 + L2/2, 0], frames: {root: [-L2/2, 0], tip: [L2/2, 0]}}\n"
    "  slider: {mass: 0.038, inertia: 1.8e-6, at: [L1 + L2, 0]}\n"
    "  block:  {mass: 0.190, inertia: 2.7e-5, at: [0.914, 0], velocity: [-15, 0]}\n"
    "\n"
    "joints:\n"
    "  main:  {type: revolute, between: [ground, crank.root], rate: omega}      # initial rate; the solver makes the "
    "rest consistent\n"
    "  pin:   {type: revolute, between: [crank.tip, rod.root]}\n"
    "  wrist: {type: revolute, between: [rod.tip, slider]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "  rail:  {type: translational, between: [ground, block], axis: [1, 0]}\n"
    "\n"
    "shapes:\n"
    "  nose: {type: sphere, on: slider, at: [a - 8.5*mm, 0], radius: 8.5*mm}\n"
    "  face: {type: sphere, on: block, at: [8.5*mm - a, 0], radius: 8.5*mm}\n"
    "\n"
    "contacts:\n"
    "  hit: {between: [nose, face], normal: {law: $law, stiffness: 9.5e9, restitution: e}}\n"
    "\n"
    "run: {analysis: dynamics, until: 0.08, integrator: adams, tolerance: 1e-8, output: {every: 0.1*ms, contacts: "
    "every-step}}\n";

/* The same in JSON, with tabs, escapes and expressions as texts. */
static const char example_json[] =
    "{\n"
    "\t\"carom\":1,\n"
    "\t\"title\":\"Slider-crank hitting a free block (Machado et al. 2012, section 6)\",\n"
    "\t\"dimension\":2,\n"
    "\t\"gravity\":[0,-9.81],\n"
    "\t\"parameters\":{\n"
    "\t\t\"L1\": 0.153,\n"
    "\t\t\"L2\": 0.306,\n"
    "\t\t\"a\": \"16.93*mm\",\n"
    "\t\t\"omega\": 150,\n"
    "\t\t\"e\": 0.7,\n"
    "\t\t\"law\": \"flores\"\n"
    "\t},\n"
    "\t\"bodies\":{\n"
    "\t\t\"crank\": "
    "{\"mass\":0.038,\"inertia\":7.4e-05,\"at\":[\"L1\\/2\",0],\"frames\":{\"root\":[\"-L1\\/2\",0],\"tip\":[\"L1\\/"
    "2\",0]}},\n"
    "\t\t\"rod\": {\"mass\":0.076,\"inertia\":5.9e-05,\"at\":[\"L1 + "
    "L2\\/2\",0],\"frames\":{\"root\":[\"-L2\\/2\",0],\"tip\":[\"L2\\/2\",0]}},\n"
    "\t\t\"slider\": {\"mass\":0.038,\"inertia\":1.8e-06,\"at\":[\"L1 + L2\",0]},\n"
    "\t\t\"block\": {\"mass\":0.19,\"inertia\":2.7e-05,\"at\":[0.914,0],\"velocity\":[-15,0]}\n"
    "\t},\n"
    "\t\"joints\":{\n"
    "\t\t\"main\": {\"type\":\"revolute\",\"between\":[\"ground\",\"crank.root\"],\"rate\":\"omega\"},\n"
    "\t\t\"pin\": {\"type\":\"revolute\",\"between\":[\"crank.tip\",\"rod.root\"]},\n"
    "\t\t\"wrist\": {\"type\":\"revolute\",\"between\":[\"rod.tip\",\"slider\"]},\n"
    "\t\t\"guide\": {\"type\":\"translational\",\"between\":[\"ground\",\"slider\"],\"axis\":[1,0]},\n"
    "\t\t\"rail\": {\"type\":\"translational\",\"between\":[\"ground\",\"block\"],\"axis\":[1,0]}\n"
    "\t},\n"
    "\t\"shapes\":{\n"
    "\t\t\"nose\": {\"type\":\"sphere\",\"on\":\"slider\",\"at\":[\"a - 8.5*mm\",0],\"radius\":\"8.5*mm\"},\n"
    "\t\t\"face\": {\"type\":\"sphere\",\"on\":\"block\",\"at\":[\"8.5*mm - a\",0],\"radius\":\"8.5*mm\"}\n"
    "\t},\n"
    "\t\"contacts\":{\n"
    "\t\t\"hit\": "
    "{\"between\":[\"nose\",\"face\"],\"normal\":{\"law\":\"$law\",\"stiffness\":\"9.5e9\",\"restitution\":\"e\"}}\n"
    "\t},\n"
    "\t\"run\":{\n"
    "\t\t\"analysis\": \"dynamics\",\n"
    "\t\t\"until\": 0.08,\n"
    "\t\t\"integrator\": \"adams\",\n"
    "\t\t\"tolerance\": \"1e-8\",\n"
    "\t\t\"output\": {\"every\":\"0.1*ms\",\"contacts\":\"every-step\"}\n"
    "\t}\n"
    "}\n";

/* ---- helpers ---- */

/* An allocator that counts, and fails from the n-th call on. */
typedef struct counter {
    size_t calls, fail_at, live, bytes;
} counter;

static inline void *count_allocate(void *user, size_t size)
{
    counter *c = user;
    if (++c->calls >= c->fail_at)
        return NULL;
    c->live++;
    c->bytes += size;
    return malloc(size);
}

static inline void count_release(void *user, void *block, size_t size)
{
    counter *c = user;
    c->live--;
    c->bytes -= size;
    free(block);
}

static inline carom_context *make_context(counter *c)
{
    carom_context_def def = carom_default_context_def();
    carom_context *ctx;
    c->fail_at = SIZE_MAX;
    def.allocator = (carom_allocator){count_allocate, count_release, c};
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    return ctx;
}

static counter shared_counter;
static carom_context *shared;

static inline int setup(void **state)
{
    (void)state;
    shared_counter = (counter){0};
    shared = make_context(&shared_counter);
    return 0;
}

/* Nothing of ours is left when the context is gone. */
static inline int teardown(void **state)
{
    (void)state;
    carom_context_free(shared);
    assert_int_equal(shared_counter.live, 0);
    assert_int_equal(shared_counter.bytes, 0);
    return 0;
}

static inline carom_status parse(const char *text, carom_document **out)
{
    return carom_document_parse(shared, "model.yaml", text, strlen(text), NULL, 0, out);
}

/* Parses a text that must be right. */
static inline carom_document *right(const char *text)
{
    carom_document *document;
    carom_status status = parse(text, &document);
    if (status != CAROM_OK)
        fail_msg("%s", carom_context_error(shared));
    return document;
}

/* A right text with one override. */
static inline carom_document *with_override(const char *text, const char *override)
{
    carom_document *document;
    assert_ok(shared, carom_document_parse(shared, "model.yaml", text, strlen(text), &override, 1, &document));
    return document;
}

static inline void expect_error(carom_status got, carom_status wanted, const char *has)
{
    if (got != wanted || !strstr(carom_context_error(shared), has))
        fail_msg("status %d (not %d) with '%s', which has no '%s'", got, wanted, carom_context_error(shared), has);
}

/* The text is refused at line:column, with `has` in the message. */
static inline void refuse(const char *text, int line, int column, const char *has)
{
    carom_document *document;
    char place[64];
    carom_status status = parse(text, &document);
    snprintf(place, sizeof place, "model.yaml:%d:%d: ", line, column);
    expect_error(status, CAROM_ERROR_MODEL, place);
    expect_error(status, CAROM_ERROR_MODEL, has);
}

/* Doubles: cmocka's own comparison is in single precision. */
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Seconds of a clock. */
static inline double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define HEAD "carom: 1\ndimension: 2\nrun: {until: 1}\n"
#define HEAD3 "carom: 1\ndimension: 3\nrun: {until: 1}\n"

#endif
