/* How fast the places of a face slip against each other as a body rocks on them, which is none of its slips. Each place
   has its own point, halfway into its indentation, and its own tangent plane. Where the depths of places at the
   distance S differ by D' and their rates by V', the face is tilted by D'/S and turns with V'/S: points at the depth D
   that approach with V slip against each other with
     V D'/S + D V'/S.                                                                                            (1)
   No motion of the bodies along the face stops that. It goes over a way of D D'/S, some nanometres; a place
   that slips so slowly turns round again and again. So slip up to a share of (1) is rest. As the rocking dies down so
   does what is left of the slip, and (1) is kept as long. */
#include "sim/sim.h"

#include <math.h>

/* (1) is forgotten over so many expected durations of an impact. */
#define MEMORY 10
/* Share of (1), a bound, that places have: a sixth was measured in a pile of crates. */
#define SHARE 0.3
/* Greatest tilt of a face. */
#define STEEPEST 0.01

static bool holds(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    return c->friction && c->friction->set_valued && sim->s.located[k].open;
}

double carom_rocking_slip(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const int first = k - c->point, end = first + carom_contact_points(sim->model, first);
    const double together = carom_face_together(c);
    double out = 0;
    for (int j = first; j < end; j++) {
        const carom_contact_point *q = &sim->d->contacts[j];
        if (j == k || !holds(sim, j) || !(q->force > 0))
            continue;
        const double depth = fmax(-p->gap, -q->gap), rate = fmax(fabs(p->gap_rate), fabs(q->gap_rate));
        const double distance = carom_v3_norm(carom_v3_sub(q->point, p->point));
        const double slip = rate * fabs(p->gap - q->gap) + depth * fabs(p->gap_rate - q->gap_rate);
        out = fmax(out, fmin(SHARE * slip * distance / (distance * distance + together * together), STEEPEST * rate));
    }
    return out;
}

void carom_rocking_follow(carom_simulation *sim, double step)
{
    for (int n = 0; n < sim->system->touching_count; n++) {
        const int k = sim->system->touching[n];
        carom_episode *e = &sim->s.located[k];
        if (!holds(sim, k))
            continue;
        e->rocking = fmax(carom_rocking_slip(sim, k), e->rocking * exp(-step / (MEMORY * e->time_scale)));
    }
}
