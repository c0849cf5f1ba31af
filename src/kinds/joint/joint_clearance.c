/* Parts of joints with clearance that several kinds share.

   Geometry of the journal in a bore: Machado et al. 2012, section 3 (internal contact of cylinders); of its two ends in
   space: docs/theory/clearance.md. */
#include "kinds/joint/joint.h"

int carom_clearance_add(carom_clearance_parts *parts, carom_clearance_shape shape)
{
    parts->shapes[parts->shape_count] = shape;
    return parts->shape_count++;
}

void carom_clearance_touch(carom_clearance_parts *parts, int first, int second)
{
    parts->contacts[parts->contact_count][0] = first;
    parts->contacts[parts->contact_count++][1] = second;
}

/* A disc in a hollow disc. */
static void planar_bearing(const double *size, carom_clearance_parts *out)
{
    const double radius = size[CAROM_CLEARANCE_RADIUS];
    int bearing = carom_clearance_add(out, (carom_clearance_shape){.name = "bearing",
                                                                   .type = "sphere",
                                                                   .radius = -(radius + size[CAROM_CLEARANCE_RADIAL])});
    int journal = carom_clearance_add(
        out, (carom_clearance_shape){.name = "journal", .type = "sphere", .side = 1, .radius = radius});
    carom_clearance_touch(out, bearing, journal);
    out->line = size[CAROM_CLEARANCE_LENGTH];
}

/* The circles at both ends of the journal in a bore, and with axial play a dome on each end against a thrust face. */
static void spatial_bearing(const double *size, carom_clearance_parts *out)
{
    static const char *const ends[] = {"end-1", "end-2"}, *const domes[] = {"dome-1", "dome-2"};
    static const char *const faces[] = {"face-1", "face-2"};
    const double radius = size[CAROM_CLEARANCE_RADIUS], half = 0.5 * size[CAROM_CLEARANCE_LENGTH];
    const double axial = size[CAROM_CLEARANCE_AXIAL];
    const carom_vec3 axis = carom_v3(0, 0, 1);
    int bore = carom_clearance_add(out, (carom_clearance_shape){.name = "bearing",
                                                                .type = "bore",
                                                                .radius = radius + size[CAROM_CLEARANCE_RADIAL],
                                                                .length = 2 * (half + axial),
                                                                .direction = axis});
    for (int k = 0; k < 2; k++)
        carom_clearance_touch(out, bore,
                              carom_clearance_add(out, (carom_clearance_shape){.name = ends[k],
                                                                               .type = "ring",
                                                                               .side = 1,
                                                                               .at = carom_v3(0, 0, k ? half : -half),
                                                                               .radius = radius,
                                                                               .direction = axis}));
    for (int k = 0; k < 2 && axial > 0; k++) {
        const double out_of = k ? 1 : -1;
        int face = carom_clearance_add(out, (carom_clearance_shape){.name = faces[k],
                                                                    .type = "plane",
                                                                    .at = carom_v3(0, 0, out_of * (half + axial)),
                                                                    .direction = carom_v3(0, 0, -out_of)});
        int dome = carom_clearance_add(out, (carom_clearance_shape){.name = domes[k],
                                                                    .type = "sphere",
                                                                    .side = 1,
                                                                    .at = carom_v3(0, 0, out_of * (half - radius)),
                                                                    .radius = radius});
        carom_clearance_touch(out, face, dome);
    }
    out->line = half;
}

void carom_clearance_bearing(void *user, const double *size, int dimension, carom_clearance_parts *out)
{
    (void)user;
    if (dimension == 2)
        planar_bearing(size, out);
    else
        spatial_bearing(size, out);
    out->play = size[CAROM_CLEARANCE_RADIAL];
}
