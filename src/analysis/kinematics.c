/* Analysis kinematics: the motion that joints and drives prescribe, by a simulation that follows the constraints and
   records nothing. */
#include "analysis/analysis.h"

const carom_analysis_kind carom_analysis_kinematics = {
    .text = "The motion is that which the constraints and the prescribed motions of joints and bodies ask for. At each "
            "time positions follow by Newton's method from those of the motion before, which keeps their branch, "
            "velocities and accelerations by the linear equations of the constraints; reactions, efforts of the "
            "drives, contacts and works are those of the moving masses. A mechanism that can move otherwise is "
            "refused by name. Singular positions, where the drives do not determine the motion, are found, told of, "
            "and passed or stopped at.",
    .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 3; Haug 1989, Computer Aided "
              "Kinematics and Dynamics of Mechanical Systems, chapters 3, 4.",
    .quantities = carom_analysis_motion_quantities,
    .quantity_count = CAROM_ANALYSIS_MOTION_QUANTITIES,
    .tables = carom_analysis_motion_tables,
    .table_count = CAROM_ANALYSIS_MOTION_TABLES,
    .run = carom_analysis_simulate,
};
