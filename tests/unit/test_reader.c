/* The model reader: the example, typing, positions, JSON, overrides, files, failing allocations. */
#include "reader_support.h"

/* ---- the example ---- */

static void test_example(void **state)
{
    (void)state;
    carom_document *document = right(example);
    const carom_spec *s = carom_document_spec(document);
    assert_string_equal(s->file, "model.yaml");
    assert_string_equal(s->name, "model");
    assert_string_equal(s->title, "Slider-crank hitting a free block (Machado et al. 2012, section 6)");
    assert_int_equal(s->dimension, 2);
    assert_near(s->gravity[1], -9.81, 0);
    assert_int_equal(s->parameter_count, 5);
    assert_string_equal(s->parameters[2].name, "a");
    assert_near(s->parameters[2].value, 16.93e-3, 1e-17);
    assert_int_equal(s->body_count, 4);
    assert_string_equal(s->bodies[0].name, "crank");
    assert_near(s->bodies[0].mass, 0.038, 0);
    assert_near(s->bodies[1].at[0], 0.153 + 0.306 / 2, 1e-16);
    assert_int_equal(s->bodies[0].frame_count, 2);
    assert_string_equal(s->bodies[0].frames[1].name, "tip");
    assert_near(s->bodies[0].frames[0].at[0], -0.0765, 1e-16);
    assert_int_equal(s->bodies[0].velocity.type, CAROM_VALUE_NONE);
    assert_int_equal(s->bodies[3].velocity.type, CAROM_VALUE_VECTOR);
    assert_near(s->bodies[3].velocity.number[0], -15, 0);
    assert_int_equal(s->joint_count, 5);
    assert_string_equal(s->joints[0].between[0].body, "ground");
    assert_string_equal(s->joints[0].between[1].body, "crank");
    assert_string_equal(s->joints[0].between[1].frame, "root");
    assert_null(s->joints[2].between[1].frame);
    assert_int_equal(s->joints[0].rate.type, CAROM_VALUE_NUMBER);
    assert_near(s->joints[0].rate.number[0], 150, 0);
    assert_string_equal(s->joints[3].params.items[0].name, "axis");
    assert_int_equal(s->joints[3].params.items[0].value.size, 2);
    assert_string_equal(s->shapes[0].on, "slider");
    assert_near(s->shapes[0].at[0], 8.43e-3, 1e-16);
    assert_near(s->shapes[0].orientation[0], 1, 0);
    assert_string_equal(s->shapes[0].params.items[0].name, "radius");
    assert_string_equal(s->contacts[0].law, "flores");
    assert_string_equal(s->contacts[0].between[1], "face");
    assert_string_equal(s->contacts[0].tension, "clip");
    assert_near(s->contacts[0].minimum_speed, 1e-3, 0);
    assert_int_equal(s->contacts[0].normal.count, 2);
    assert_string_equal(s->contacts[0].normal.items[1].name, "restitution");
    assert_near(s->contacts[0].normal.items[1].value.number[0], 0.7, 0);
    assert_int_equal(s->run_count, 1);
    assert_string_equal(s->runs[0].analysis, "dynamics");
    assert_string_equal(s->runs[0].integrator, "adams");
    assert_near(s->runs[0].output_every, 1e-4, 1e-19);
    assert_int_equal(s->text_length, strlen(example));
    assert_string_equal(s->text, example);
    carom_document_free(document);
}

/* Every place of the spec points at what it says. */
static void test_places(void **state)
{
    (void)state;
    carom_document *document = right(example);
    const carom_spec *s = carom_document_spec(document);
#define PLACE(p, l, c)                                                                                                 \
    do {                                                                                                               \
        assert_ptr_equal((p).file, s->file);                                                                           \
        assert_int_equal((p).line, l);                                                                                 \
        assert_int_equal((p).column, c);                                                                               \
    } while (0)
    PLACE(s->bodies[0].place, 9, 3);
    PLACE(s->bodies[0].inertia.place, 9, 34);
    PLACE(s->bodies[0].frames[1].place, 9, 84);
    PLACE(s->bodies[3].velocity.place, 12, 68);
    PLACE(s->bodies[3].velocity.places[1], 12, 74);
    PLACE(s->joints[0].place, 15, 3);
    PLACE(s->joints[0].type_place, 15, 17);
    PLACE(s->joints[0].between[1].place, 15, 45);
    PLACE(s->joints[0].rate.place, 15, 64);
    PLACE(s->joints[3].params.items[0].place, 18, 59);
    PLACE(s->joints[3].params.items[0].value.place, 18, 65);
    PLACE(s->shapes[1].on_place, 23, 28);
    PLACE(s->contacts[0].place, 26, 3);
    PLACE(s->contacts[0].between_place[0], 26, 19);
    PLACE(s->contacts[0].between_place[1], 26, 25);
    PLACE(s->contacts[0].law_place, 26, 46);
    PLACE(s->runs[0].place, 28, 1);
    PLACE(s->runs[0].integrator_place, 28, 52);
#undef PLACE
    carom_document_free(document);
}

/* ---- JSON ---- */

static void dump_value(carom_text *out, const char *name, const carom_value *v)
{
    carom_text_append(out, "%s %d %d %s", name, (int)v->type, v->size, v->text ? v->text : "-");
    for (int k = 0; k < CAROM_VALUE_SIZE; k++)
        carom_text_append(out, " %.17g %s", v->number[k], v->expression[k] ? v->expression[k] : "");
    carom_text_append(out, "\n");
}

static void dump_params(carom_text *out, const carom_param_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        dump_value(out, list->items[k].name, &list->items[k].value);
}

static void dump_frame(carom_text *out, const carom_frame_ref *f)
{
    carom_text_append(out, "%s.%s %.17g %.17g %.17g\n", f->body, f->frame ? f->frame : "", f->point[0], f->point[1],
                      f->point[2]);
}

/* The spec without its places. */
static char *dump(const carom_spec *s, carom_text *out)
{
    carom_text_append(out, "%s %d %g %g %g\n", s->title ? s->title : "", s->dimension, s->gravity[0], s->gravity[1],
                      s->gravity[2]);
    for (size_t k = 0; k < s->parameter_count; k++)
        carom_text_append(out, "%s %.17g\n", s->parameters[k].name, s->parameters[k].value);
    for (size_t k = 0; k < s->body_count; k++) {
        const carom_body_def *b = &s->bodies[k];
        carom_text_append(out, "%s %.17g %.17g %.17g %.17g\n", b->name, b->mass, b->at[0], b->at[1], b->angle);
        dump_value(out, "inertia", &b->inertia);
        dump_value(out, "velocity", &b->velocity);
        for (size_t f = 0; f < b->frame_count; f++)
            carom_text_append(out, "%s %.17g %.17g\n", b->frames[f].name, b->frames[f].at[0], b->frames[f].at[1]);
    }
    for (size_t k = 0; k < s->joint_count; k++) {
        const carom_joint_def *j = &s->joints[k];
        carom_text_append(out, "%s %s\n", j->name, j->type);
        dump_frame(out, &j->between[0]);
        dump_frame(out, &j->between[1]);
        dump_value(out, "motion", &j->motion);
        dump_value(out, "rate", &j->rate);
        dump_params(out, &j->params);
    }
    for (size_t k = 0; k < s->shape_count; k++) {
        const carom_shape_def *h = &s->shapes[k];
        carom_text_append(out, "%s %s %s %.17g %.17g\n", h->name, h->type, h->on, h->at[0], h->at[1]);
        dump_params(out, &h->params);
    }
    for (size_t k = 0; k < s->contact_count; k++) {
        const carom_contact_def *c = &s->contacts[k];
        carom_text_append(out, "%s %s %s %s\n", c->name, c->law, c->between[0], c->between[1]);
        dump_params(out, &c->normal);
    }
    for (size_t k = 0; k < s->run_count; k++) {
        const carom_run_def *r = &s->runs[k];
        carom_text_append(out, "%s %.17g %s %g %g %s\n", r->analysis, r->until, r->integrator, r->tolerance,
                          r->output_every, r->output_contacts ? r->output_contacts : "-");
    }
    assert_false(out->failed);
    return out->data;
}

static void test_json_is_the_same(void **state)
{
    (void)state;
    carom_text a = {.ctx = shared}, b = {.ctx = shared};
    carom_document *yaml = right(example), *json = right(example_json);
    assert_string_equal(dump(carom_document_spec(yaml), &a), dump(carom_document_spec(json), &b));
    carom_document_free(yaml);
    carom_document_free(json);
    carom_text_clear(&a);
    carom_text_clear(&b);
}

static void test_json_texts(void **state)
{
    (void)state;
    carom_document *document = right("{\n\t\"carom\":1,\t\"dimension\":2,\r\n\t\"title\":\"a\\/b \\u00df"
                                     " \\ud83d\\ude00\\n\\\"q\\\"\","
                                     "\"run\":{\"until\":1e0},\"gravity\":[0,-1]\n}\n");
    const carom_spec *s = carom_document_spec(document);
    assert_string_equal(s->title, "a/b \xc3\x9f \xf0\x9f\x98\x80\n\"q\"");
    assert_near(s->gravity[1], -1, 0);
    carom_document_free(document);
}

/* ---- typing ---- */

static void test_typing(void **state)
{
    (void)state;
    carom_document *document = right(
        "carom: 1\ndimension: '2'\ntitle: yes\n"
        "parameters: {no: 1e-4, x: \"2*no\", w: null, v: hunt-crossley, u: $v, y: x-no, z: $x}\n"
        "bodies:\n  no: {mass: 1e-4, inertia: no, at: [+1., .5]}\n"
        "  true: {mass: x, inertia: 1E2*mm^2*kg, angle: -2^2}\n"
        "  null: {mass: \"3\", inertia: $y, at: [1, \"max(1, 2)\"]}\n"
        "loads:\n  push: {type: force, on: no, force: [0, \"step(t, 0, 0, 1, z)\"], axes: body}\n"
        "  pull: {type: torque, on: no, torque: -2*speed(pin)}\n  rest: {type: torque, on: no, torque: 2*x}\n"
        "joints: {pin: {type: revolute, between: [ground, no], motion: sin(t)}}\nrun: {until: 1}\n");
    const carom_spec *s = carom_document_spec(document);
    assert_string_equal(s->title, "yes");
    assert_int_equal(s->parameter_count, 4); /* no, x, y, z */
    assert_string_equal(s->parameters[0].name, "no");
    assert_near(s->parameters[2].value, 1e-4, 1e-19);
    assert_near(s->parameters[3].value, 2e-4, 0);
    assert_string_equal(s->bodies[0].name, "no");
    assert_near(s->bodies[0].inertia.number[0], 1e-4, 0);
    assert_near(s->bodies[0].at[1], 0.5, 0);
    assert_string_equal(s->bodies[1].name, "true");
    assert_near(s->bodies[1].mass, 2e-4, 0);
    assert_near(s->bodies[1].inertia.number[0], 1e-4, 1e-19);
    assert_near(s->bodies[1].angle, -4, 0);
    assert_near(s->bodies[2].at[1], 2, 0);
    const carom_value *force = &s->loads[0].params.items[0].value;
    assert_int_equal(force->type, CAROM_VALUE_VECTOR);
    assert_null(force->expression[0]);
    assert_string_equal(force->expression[1], "step(t, 0, 0, 1, z)");
    assert_int_equal(force->places[1].line, 10);
    assert_int_equal(force->places[1].column, 43);
    assert_int_equal(s->loads[0].params.items[1].value.type, CAROM_VALUE_TEXT);
    assert_string_equal(s->loads[0].params.items[1].value.text, "body");
    assert_int_equal(s->loads[1].params.items[0].value.type, CAROM_VALUE_EXPRESSION);
    assert_int_equal(s->loads[2].params.items[0].value.type, CAROM_VALUE_NUMBER);
    assert_near(s->loads[2].params.items[0].value.number[0], 4e-4, 0);
    assert_int_equal(s->loads[0].frame_count, 1);
    assert_int_equal(s->joints[0].motion.type, CAROM_VALUE_EXPRESSION);
    assert_string_equal(s->joints[0].motion.text, "sin(t)");
    carom_document_free(document);
}

static void test_frames_and_orientations(void **state)
{
    (void)state;
    carom_document *document = right(
        HEAD3 "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], orientation: [2, 0, 0, 0], frames: {f: [1, 2, 3], g: {at: [0, 0, 1], "
        "orientation: {axis: [0, 0, 2], angle: 90*deg}}}}\n"
        "  b: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], orientation: {zxz: [30*deg, 0, 60*deg]}, angular_velocity: [0, "
        "0, 1], motion: {x: sin(t), z: 1, point: tip}}\n"
        "joints:\n"
        "  p: {type: prismatic, between: [{ground: [1, 2, 3]}, a.f], axis: [0, 0, 1]}\n"
        "  q: {type: universal, between: [b, {a: [0, 0, 1]}], axis: [1, 0, 0], axis2: [0, 1, 0]}\n"
        "splines: {s: [[0, 0], [1, 1], [2, 0]]}\n");
    const carom_spec *s = carom_document_spec(document);
    double h = sqrt(0.5);
    assert_near(s->bodies[0].orientation[0], 1, 0);
    const carom_frame_def *g = &s->bodies[0].frames[1];
    assert_int_equal(s->bodies[0].frames[0].orientation.type, CAROM_VALUE_NONE);
    assert_int_equal(g->orientation.type, CAROM_VALUE_VECTOR);
    assert_int_equal(g->orientation.size, 4);
    assert_near(g->orientation.number[0], h, 1e-15);
    assert_near(g->orientation.number[3], h, 1e-15);
    /* both turns about z: 90 degrees together */
    assert_near(s->bodies[1].orientation[0], h, 1e-15);
    assert_near(s->bodies[1].orientation[3], h, 1e-15);
    assert_int_equal(s->bodies[1].inertia.size, 6);
    assert_int_equal(s->bodies[1].motion_x.type, CAROM_VALUE_EXPRESSION);
    assert_int_equal(s->bodies[1].motion_y.type, CAROM_VALUE_NONE);
    assert_int_equal(s->bodies[1].motion_z.type, CAROM_VALUE_NUMBER);
    assert_string_equal(s->bodies[1].motion_point, "tip");
    assert_string_equal(s->joints[0].type, "translational");
    assert_string_equal(s->joints[0].between[0].body, "ground");
    assert_near(s->joints[0].between[0].point[2], 3, 0);
    assert_int_equal(s->joints[1].params.count, 2);
    assert_int_equal(s->spline_count, 1);
    assert_near(s->splines[0].x[2], 2, 0);
    assert_near(s->splines[0].y[1], 1, 0);
    carom_document_free(document);
}

/* Entries of which there are several, and the names in them. */
static void test_copies(void **state)
{
    (void)state;
    carom_document *document = right(
        HEAD3 "parameters: {n: 3}\n"
        "splines:\n  wave: {copies: 2, value: copy*sin(x), from: 0, to: 2*pi, points: 9, ends: periodic}\n"
        "  twice: {copies: 2, value: \"2*spline(wave_$copy, x)\", from: 0, to: 2*pi, points: 9}\n"
        "bodies:\n  link: {copies: n, mass: copy, inertia: [1, 1, 1], at: [copy, 0, 0], frames: {tip: [0.5, 0, 0]}}\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], frames: {arm: {copies: 2, at: [0, copy, 0]}}}\n"
        "joints:\n  pin: {copies: n - 1, type: spherical, between: [link_$copy.tip, {link_$(copy + 1): [-copy/2, 0, "
        "0]}]}\n"
        "  arm: {copies: 2, type: revolute, between: [hub.arm_$copy, \"link_$(floor((8 - 2*copy)/2))\"], "
        "axis: [0, 0, 1], motion: \"copy*t + spline(wave_$copy, t) + 10*copy\"}\n"
        "shapes:\n  link: {type: sphere, on: link, radius: 0.1*copy}\n"
        "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
        "  knob: {copies: 2, type: sphere, on: hub, at: [copy, 0, 0], radius: 0.1}\n"
        "contacts:\n  c: {copies: 2, between: [floor, knob_$copy], normal: {law: hooke, stiffness: 1e6*copy}}\n"
        "loads:\n  push: {copies: 3, type: force, on: link_$copy, force: [copy*t, 0, 0]}\n"
        "outputs:\n  way: {copies: 3, value: x(link_$copy)/copy}\n");
    const carom_spec *s = carom_document_spec(document);
    assert_int_equal(s->spline_count, 4);
    assert_string_equal(s->splines[3].name, "twice_2");
    assert_near(s->splines[3].y[2], 4, 1e-15);
    assert_near(s->splines[1].x[2], 1.5707963267948966, 1e-15);
    assert_true(s->splines[1].y[8] == s->splines[1].y[0]);
    assert_int_equal(s->body_count, 4);
    assert_int_equal(s->bodies[3].frame_count, 2);
    assert_string_equal(s->bodies[3].frames[1].name, "arm_2");
    assert_near(s->bodies[3].frames[1].at[1], 2, 0);
    assert_int_equal(s->joint_count, 4);
    assert_string_equal(s->joints[1].name, "pin_2");
    assert_string_equal(s->joints[1].between[0].body, "link_2");
    assert_string_equal(s->joints[1].between[1].body, "link_3");
    assert_near(s->joints[1].between[1].point[0], -1, 0);
    assert_string_equal(s->joints[3].between[0].frame, "arm_2");
    assert_string_equal(s->joints[3].between[1].body, "link_2");
    assert_string_equal(s->joints[3].motion.text, "2*t + spline(wave_2, t) + 10*2");
    assert_int_equal(s->shape_count, 6);
    assert_string_equal(s->shapes[2].on, "link_3");
    assert_string_equal(s->shapes[5].on, "hub");
    assert_int_equal(s->contact_count, 2);
    assert_string_equal(s->contacts[1].between[1], "knob_2");
    assert_string_equal(s->loads[2].on[0].body, "link_3");
    assert_string_equal(s->outputs[2].value.text, "x(link_3)/3");
    carom_document_free(document);
}

static void test_runs_and_contacts(void **state)
{
    (void)state;
    carom_document *document = right(
        "carom: 1\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "shapes: {p: {type: sphere, on: a, radius: 1, orientation: 90*deg}, q: {type: plane, on: ground, normal: [0, "
        "1]}}\n"
        "materials: {steel: {E: 207*GPa, nu: 0.3, density: 7800}}\n"
        "contacts:\n  one: {between: [q, p], normal: {law: hertz, from_point: {indentation: 1*mm, force: 2*kN}, "
        "restitution: 0.5, exponent: 1.2}}\n"
        "  two: {between: [q, p], normal: {elastic: power, damping: flores, stiffness: 1e5, restitution: 0.5, release: "
        "raw, velocity: memoryless, minimum_speed: 1e-4}}\n"
        "run:\n  - {analysis: dynamics, until: 1}\n"
        "  - {until: 2, integrator: rk4, step: 1*ms, constraints: {type: baumgarte, alpha: 5, beta: 6}, output: "
        "{channels: [body.a, energy]}}\n"
        "  - {until: 3, constraints: projection, output: {channels: contact}}\n");
    const carom_spec *s = carom_document_spec(document);
    assert_string_equal(s->contacts[0].normal.items[0].name, "from_point");
    assert_int_equal(s->contacts[0].normal.items[0].value.size, 2);
    assert_near(s->contacts[0].normal.items[0].value.number[0], 1e-3, 1e-18);
    assert_near(s->contacts[0].normal.items[0].value.number[1], 2000, 0);
    assert_null(s->contacts[1].law);
    assert_string_equal(s->contacts[1].elastic, "power");
    assert_string_equal(s->contacts[1].damping, "flores");
    assert_string_equal(s->contacts[1].tension, "allow");
    assert_string_equal(s->contacts[1].velocity, "fixed-reference");
    assert_near(s->materials[0].young, 207e9, 1);
    assert_near(s->materials[0].yield, 0, 0);
    assert_near(s->shapes[0].orientation[3], sqrt(0.5), 1e-15);
    assert_int_equal(s->run_count, 3);
    assert_string_equal(s->runs[0].analysis, "dynamics");
    assert_near(s->runs[1].step, 1e-3, 1e-18);
    assert_string_equal(s->runs[1].constraints, "baumgarte");
    assert_int_equal(s->runs[1].constraint_params.count, 2);
    assert_string_equal(s->runs[1].constraint_params.items[1].name, "beta");
    assert_int_equal(s->runs[1].channel_count, 2);
    assert_string_equal(s->runs[1].channels[1], "energy");
    assert_string_equal(s->runs[2].constraints, "projection");
    assert_int_equal(s->runs[2].channel_count, 1);
    assert_near(s->runs[2].tolerance, 1e-8, 0);
    carom_document_free(document);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_near(carom_default_body_def().orientation[0], 1, 0);
    assert_near(carom_default_run_def().tolerance, 1e-8, 0);
    assert_string_equal(carom_default_run_def().integrator, "auto");
    assert_null(carom_default_run_def().output_contacts);
    assert_null(carom_default_run_def().constraints);
    assert_string_equal(carom_default_contact_def().velocity, "adaptive");
    assert_near(carom_default_contact_def().minimum_speed, 1e-3, 0);
    assert_int_equal(carom_default_spec().dimension, 0);
    assert_near(carom_default_material_def().young, 0, 0);
    assert_null(carom_default_joint_def().type);
    assert_null(carom_default_load_def().type);
    assert_near(carom_default_shape_def().orientation[0], 1, 0);
    carom_value v = carom_value_vector(3, (const double[]){1, 2, 3});
    assert_int_equal(v.size, 3);
    assert_near(v.number[2], 3, 0);
    assert_int_equal(carom_value_expression("t").type, CAROM_VALUE_EXPRESSION);
    assert_string_equal(carom_value_text("a").text, "a");
}

/* ---- overrides ---- */

static void test_overrides(void **state)
{
    (void)state;
    carom_document *document = with_override(example, "L1=0.2");
    const carom_spec *s = carom_document_spec(document);
    assert_near(s->parameters[0].value, 0.2, 0);
    assert_near(s->bodies[0].at[0], 0.1, 0); /* what depends on it follows */
    carom_document_free(document);

    document = with_override(example, "law = hunt-crossley");
    assert_string_equal(carom_document_spec(document)->contacts[0].law, "hunt-crossley");
    carom_document_free(document);

    document = with_override(example, "L2=2*L1 + 1*mm");
    assert_near(carom_document_spec(document)->parameters[1].value, 0.307, 1e-16);
    carom_document_free(document);

    const char *two[] = {"e=0.1", "e=0.2"};
    assert_int_equal(carom_document_parse(shared, "m", example, strlen(example), two, 2, &document), CAROM_OK);
    assert_near(carom_document_spec(document)->parameters[4].value, 0.2, 0);
    carom_document_free(document);
}

static void test_wrong_overrides(void **state)
{
    (void)state;
    static const struct {
        const char *override, *has;
        carom_status status;
    } rows[] = {
        {"omaga=1", "did you mean 'omega'?", CAROM_ERROR_USAGE},
        {"omega", "name=value", CAROM_ERROR_USAGE},
        {"=1", "name=value", CAROM_ERROR_USAGE},
        {"omega=", "name=value", CAROM_ERROR_USAGE},
        {"", "name=value", CAROM_ERROR_USAGE},
        {"omega= ", "no value", CAROM_ERROR_USAGE},
        {"title=x", "no parameter 'title'", CAROM_ERROR_USAGE},
        {"omega=1/0", "zero", CAROM_ERROR_USAGE},
        {"omega=fast", "a word", CAROM_ERROR_USAGE},
        {"law=3", "a number", CAROM_ERROR_USAGE},
        {"L1=L2", "later", CAROM_ERROR_USAGE},
        {"L1=L1", "cycle", CAROM_ERROR_USAGE},
        {"omega=2*t", "time", CAROM_ERROR_USAGE},
        {"law=flors", "did you mean 'flores'?", CAROM_ERROR_MODEL},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        carom_document *document;
        expect_error(carom_document_parse(shared, "m.yaml", example, strlen(example), &rows[k].override, 1, &document),
                     rows[k].status, rows[k].has);
        assert_null(document);
    }
    const char *any = "a=1";
    carom_document *document;
    expect_error(carom_document_parse(shared, "m.yaml", HEAD, strlen(HEAD), &any, 1, &document), CAROM_ERROR_USAGE,
                 "no parameter 'a'");
}

/* Forms that look odd and are right. */
static void test_right_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\xef\xbb\xbf" HEAD,
        "---\n" HEAD "...\n",
        "%YAML 1.1\n---\n" HEAD,
        "# only\n \n  # a comment\n" HEAD,
        "carom: 1\r\ndimension: 2\r\nrun: {until: 1}\r\n",
        HEAD "title: |\n  [[[[ {{{{\n  \ta tab\n",
        HEAD "title: a [[[ 'b \" {\n",
        HEAD "title: 'it''s [[['\n",
        HEAD "title: \"a\n\ttab \\\" and\n  more\"\n",
        HEAD "title: a long one\n  with\n    many\n      steps\n",
        HEAD "bodies: {}\njoints: {}\n",
        HEAD "title: $5\n",
        HEAD "title: ''\n",
        "{carom: 1, dimension: 2, run: {until: 1}}",
        "run: {until: \"if(1 < 2, 1, 2)\"}\ncarom: 1\nparameters: {d: 2}\ndimension: $d\n",
        HEAD "parameters: {law: flores, x: \"max(1, 2)\", f: models.foot-1, g: $f}\n",
    };
    for (size_t k = 0; k < CAROM_COUNT(texts); k++)
        carom_document_free(right(texts[k]));
}

/* ---- files ---- */

static void test_files(void **state)
{
    (void)state;
    carom_document *document = NULL;
    expect_error(carom_document_read(shared, "/nowhere/at all.yaml", NULL, 0, &document), CAROM_ERROR_IO, "cannot be");
    assert_null(document);
    expect_error(carom_document_read(shared, "/", NULL, 0, &document), CAROM_ERROR_IO, "cannot be");
    const char *path = "reader test 1.2.yaml";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(example, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(carom_document_read(shared, path, NULL, 0, &document), CAROM_OK);
    assert_string_equal(carom_document_spec(document)->file, path);
    assert_string_equal(carom_document_spec(document)->name, "reader_test_1_2");
    carom_document_free(document);
    assert_int_equal(remove(path), 0);
    assert_int_equal(carom_document_read(NULL, path, NULL, 0, &document), CAROM_ERROR_USAGE);
    assert_int_equal(carom_document_read(shared, NULL, NULL, 0, &document), CAROM_ERROR_USAGE);
    carom_document_free(NULL);
}

/* ---- page and schema ---- */

static void test_page_and_schema(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(carom_reference_page(shared, &text), CAROM_OK);
    static const char *const words[] = {"`minimum_speed`", "`flores`", "`radius`", "`GPa`",
                                        "step5",           "`axis2`",  "required"};
    for (size_t k = 0; k < CAROM_COUNT(words); k++)
        if (!strstr(text, words[k]))
            fail_msg("the page has no %s", words[k]);
    carom_text_free(shared, text);
    assert_int_equal(carom_json_schema(shared, &text), CAROM_OK);
    assert_non_null(strstr(text, "https://json-schema.org/draft/2020-12/schema"));
    assert_non_null(strstr(text, "\"minimum_speed\""));
    /* what the reader takes for true and false, in parameters of kinds as well: `hollow: yes` */
    const char *hollow = strstr(text, "\"hollow\": {");
    assert_non_null(hollow);
    assert_ptr_equal(strstr(hollow, "\"$ref\""), strstr(hollow, "\"$ref\": \"#/$defs/yes\""));
    /* the schema is a JSON text that our own reader takes for one, and wrongly so for a model */
    carom_document *document;
    expect_error(parse(text, &document), CAROM_ERROR_MODEL, "unknown key '$schema'");
    carom_text_free(shared, text);
}

/* ---- failing allocations ---- */

/* Parses with the n-th allocation failing, for every n, until the text gets its own status. */
static void fail_every_allocation(counter *c, carom_context *ctx, const char *text, const char *const *overrides,
                                  size_t override_count, carom_status wanted)
{
    size_t live = c->live, bytes = c->bytes;
    carom_status status = CAROM_ERROR_MEMORY;
    for (size_t n = 1; status == CAROM_ERROR_MEMORY; n++) {
        carom_document *document = NULL;
        c->calls = 0;
        c->fail_at = n;
        status = carom_document_parse(ctx, "m.yaml", text, strlen(text), overrides, override_count, &document);
        if (status == CAROM_ERROR_MEMORY)
            assert_string_equal(carom_context_error(ctx), "out of memory");
        assert_true((status == CAROM_OK) == (document != NULL));
        carom_document_free(document);
        assert_int_equal(c->live, live);
        assert_int_equal(c->bytes, bytes);
        assert_true(n < 100000);
    }
    assert_int_equal(status, wanted);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    static const char *const overrides[] = {"L1=2*0.1", "law=hertz"};
    counter c = {0};
    carom_context *ctx = make_context(&c);
    size_t before = c.live;
    fail_every_allocation(&c, ctx, example, overrides, 2, CAROM_OK);
    fail_every_allocation(&c, ctx, example_json, NULL, 0, CAROM_OK);
    fail_every_allocation(&c, ctx, HEAD3 "title: \"\\ud83d\\ude00\"\nsplines: {s: [[0, 0], [1, 1], [2, 0]]}\n"
                                         "bodies: {a: {mass: 1, inertia: [1, 1, 1], orientation: {zxz: [1, 2, 3]}, "
                                         "motion: {x: \"spline(s, t)\"}}}\n", NULL, 0, CAROM_OK);
    fail_every_allocation(&c, ctx, HEAD "parameters: {a: b, b: c, c: a}\n", NULL, 0, CAROM_ERROR_MODEL);
    fail_every_allocation(&c, ctx, HEAD "bodies: {a: {mass: 1, inertia: 1, mass: 2}}\n", NULL, 0, CAROM_ERROR_MODEL);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        char *text = NULL;
        c.calls = 0;
        c.fail_at = n;
        carom_status status = carom_reference_page(ctx, &text);
        if (status == CAROM_OK)
            carom_text_free(ctx, text);
        carom_status second = status == CAROM_OK ? carom_json_schema(ctx, &text) : status;
        if (second == CAROM_OK)
            carom_text_free(ctx, text);
        done = second == CAROM_OK;
        assert_true(done || second == CAROM_ERROR_MEMORY);
        assert_int_equal(c.live, before);
    }
    c.fail_at = SIZE_MAX;
    carom_context_free(ctx);
    assert_int_equal(c.live, 0);
}

/* Former names of keys and words are read as the present ones. */
static void test_former_names(void **state)
{
    (void)state;
    static const char *const former[][2] = {
        {"velocity: latched, release: clamp", "per-impact clip"},
        {"velocity: re-armed, release: raw", "per-compression allow"},
        {"velocity: memoryless, tension: latch-open", "fixed-reference cut-off"},
        {"velocity: per-compression, tension: cut-off", "per-compression cut-off"},
    };
    char text[512], words[64];
    for (size_t k = 0; k < sizeof former / sizeof *former; k++) {
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                 "shapes: {p: {type: sphere, on: a, radius: 1}, q: {type: sphere, on: b, radius: 1}}\n"
                 "contacts: {c: {all: [p, q], except: [[p, q]], joined: yes, normal: {law: flores, stiffness: 1, "
                 "restitution: 0.5, %s}}}\nrun: {until: 1}\n",
                 former[k][0]);
        carom_document *document = right(text);
        const carom_contact_def *c = &carom_document_spec(document)->contacts[0];
        snprintf(words, sizeof words, "%s %s", c->velocity, c->tension);
        assert_string_equal(words, former[k][1]);
        assert_int_equal(c->exclude_count, 1);
        assert_true(c->allow_connected);
        carom_document_free(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_example, setup, teardown),
        cmocka_unit_test_setup_teardown(test_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_json_is_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_json_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_typing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_frames_and_orientations, setup, teardown),
        cmocka_unit_test_setup_teardown(test_copies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_runs_and_contacts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_former_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_overrides, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_overrides, setup, teardown),
        cmocka_unit_test_setup_teardown(test_right_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_page_and_schema, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failing_allocations, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
