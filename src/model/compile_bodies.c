/* Bodies: masses, inertias, start poses and start velocities. */
#include "model/compile.h"

#include <math.h>
#include <string.h>

static carom_status wrong(carom_compiler *c, const carom_body_def *def, const char *text)
{
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "body '%s': %s", def->name, text);
}

/* Inverse of a symmetric positive definite matrix by cofactors; false if it is not one. */
static bool invert(const carom_mat3 *a, carom_mat3 *out)
{
    const double(*m)[3] = a->m;
    double c00 = m[1][1] * m[2][2] - m[1][2] * m[2][1], c01 = m[1][2] * m[2][0] - m[1][0] * m[2][2];
    double c02 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double det = m[0][0] * c00 + m[0][1] * c01 + m[0][2] * c02;
    if (!(m[0][0] > 0) || !(m[0][0] * m[1][1] - m[0][1] * m[0][1] > 0) || !(det > 0))
        return false;
    double r = 1 / det;
    carom_mat3 b = {
        {{c00 * r, c01 * r, c02 * r},
         {c01 * r, (m[0][0] * m[2][2] - m[0][2] * m[2][0]) * r, (m[0][1] * m[2][0] - m[0][0] * m[2][1]) * r},
         {c02 * r, (m[0][1] * m[2][0] - m[0][0] * m[2][1]) * r, (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * r}}};
    *out = b;
    return true;
}

/* Principal moments of a body satisfy the triangle inequality (equality for flat bodies): in any axes,
   tr(I)/2 * 1 - I, the second-moment matrix, is positive semidefinite. */
static bool is_inertia(const carom_mat3 *a)
{
    double half = 0.5 * (a->m[0][0] + a->m[1][1] + a->m[2][2]), slack = 1e-9 * half;
    double p = half - a->m[0][0] + slack, q = half - a->m[1][1] + slack, r = half - a->m[2][2] + slack;
    double xy = -a->m[0][1], xz = -a->m[0][2], yz = -a->m[1][2];
    double det = p * (q * r - yz * yz) - xy * (xy * r - yz * xz) + xz * (xy * yz - q * xz);
    return p >= 0 && q >= 0 && r >= 0 && p * q - xy * xy >= 0 && p * r - xz * xz >= 0 && q * r - yz * yz >= 0 &&
           det >= 0;
}

static carom_status compile_inertia(carom_compiler *c, const carom_body_def *def, carom_model_body *body)
{
    const carom_value *v = &def->inertia;
    carom_mat3 *a = &body->inertia;
    if (c->model->dimension == 2) {
        if (v->type != CAROM_VALUE_NUMBER)
            return wrong(c, def, "inertia must be one number in a planar model (about z through the centre of mass)");
        if (!(v->number[0] > 0) || !isfinite(v->number[0]))
            return wrong(c, def, "inertia must be above 0");
        a->m[2][2] = v->number[0];
        body->inverse_inertia.m[2][2] = 1 / v->number[0];
        return CAROM_OK;
    }
    if (v->type != CAROM_VALUE_VECTOR || (v->size != 3 && v->size != 6))
        return wrong(c, def, "inertia must be [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] in space");
    for (int k = 0; k < v->size; k++)
        if (!isfinite(v->number[k]) || (k < 3 && !(v->number[k] > 0)))
            return wrong(c, def, "moments of inertia must be above 0");
    for (int k = 0; k < 3; k++)
        a->m[k][k] = v->number[k];
    if (v->size == 6) {
        a->m[0][1] = a->m[1][0] = v->number[3];
        a->m[0][2] = a->m[2][0] = v->number[4];
        a->m[1][2] = a->m[2][1] = v->number[5];
    }
    if (!is_inertia(a))
        return wrong(c, def, "impossible inertia: no moment may exceed the sum of the two others (principal axes)");
    if (!invert(a, &body->inverse_inertia))
        return wrong(c, def, "the inertia matrix is not positive definite");
    body->principal = a->m[0][1] == 0 && a->m[0][2] == 0 && a->m[1][2] == 0;
    body->isotropic = body->principal && a->m[0][0] == a->m[1][1] && a->m[1][1] == a->m[2][2];
    return CAROM_OK;
}

static carom_status compile_velocities(carom_compiler *c, const carom_body_def *def, carom_model_body *body)
{
    int dimension = c->model->dimension;
    const carom_value *v = &def->velocity, *w = &def->angular_velocity;
    if (v->type != CAROM_VALUE_NONE) {
        if (v->type != CAROM_VALUE_VECTOR || v->size != dimension)
            return wrong(c, def,
                         dimension == 2 ? "velocity must be a list of 2 numbers"
                                        : "velocity must be a list of 3 numbers");
        body->velocity = carom_v3(v->number[0], v->number[1], dimension == 3 ? v->number[2] : 0);
        for (int k = 0; k < dimension; k++)
            body->velocity_given[k] = true;
    }
    if (w->type == CAROM_VALUE_NONE)
        return CAROM_OK;
    if (dimension == 2) {
        if (w->type != CAROM_VALUE_NUMBER)
            return wrong(c, def, "angular_velocity must be one number in a planar model");
        body->spin = carom_v3(0, 0, w->number[0]);
        body->spin_given[2] = true;
        return CAROM_OK;
    }
    if (w->type != CAROM_VALUE_VECTOR || w->size != 3)
        return wrong(c, def, "angular_velocity must be a list of 3 numbers in space");
    body->spin = carom_v3_load(w->number);
    for (int k = 0; k < 3; k++)
        body->spin_given[k] = true;
    return CAROM_OK;
}

static carom_status compile_body(carom_compiler *c, int number)
{
    carom_model *m = c->model;
    const carom_body_def *def = &c->spec->bodies[number - 1];
    carom_model_body *body = &m->bodies[number];
    body->name = carom_arena_text(&m->arena, def->name ? def->name : "");
    if (!body->name)
        return carom_fail_memory(c->ctx);
    if (!*body->name || !carom_names_add(&c->body_index, body->name, number))
        return wrong(c, def, "the name is taken or empty; names of bodies differ");
    CAROM_TRY(carom_compile_place(c, def->place, &body->place));
    if (!(def->mass > 0) || !isfinite(def->mass))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "body '%s': mass is %.6g; it must be above 0 (a fixed part belongs to the ground)", def->name,
                          def->mass);
    body->mass = def->mass;
    body->inverse_mass = 1 / def->mass;
    body->position = carom_v3_load(def->at);
    body->angle = def->angle;
    carom_quat q = {def->orientation[0], def->orientation[1], def->orientation[2], def->orientation[3]};
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(norm > 0) || !isfinite(norm) || !isfinite(body->angle) || !isfinite(carom_v3_norm(body->position)))
        return wrong(c, def, "at, angle and orientation must be finite, and the quaternion not zero");
    body->orientation = carom_quat_normalise(q);
    CAROM_TRY(compile_inertia(c, def, body));
    return compile_velocities(c, def, body);
}

carom_status carom_compile_bodies(carom_compiler *c)
{
    carom_model *m = c->model;
    size_t count = c->spec->body_count;
    m->bodies = carom_arena_alloc(&m->arena, count + 1, sizeof *m->bodies);
    if (!m->bodies)
        return carom_fail_memory(c->ctx);
    m->bodies[0] = (carom_model_body){.name = "ground", .orientation = {1, 0, 0, 0}};
    CAROM_TRY(carom_names_create(&m->arena, count + 1, &c->body_index));
    carom_names_add(&c->body_index, "ground", 0);
    const size_t before = carom_problems_count(c->ctx);
    for (size_t k = 0; k < count; k++) {
        CAROM_TRY_ON(c->ctx, compile_body(c, (int)k + 1));
        m->body_count++;
    }
    return carom_problems_since(c->ctx, before);
}
