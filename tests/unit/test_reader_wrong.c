/* Wrong models: place and remedy of every message; hostile sizes and depths; mutated texts. */
#include "reader_support.h"

#ifndef CAROM_TEST_DATA
#define CAROM_TEST_DATA "tests/data"
#endif
#define WRONG CAROM_TEST_DATA "/../wrong/"

/* ---- wrong models ---- */

/* Files of tests/wrong: line and column of the message (0: only the compile step refuses the model, with a message that
   has the text, if there is one), and a part of its text, where there is one the nearest name. */
static const struct {
    const char *name;
    int line, column;
    const char *has;
} wrong[] = {
    {"empty", 1, 1, "carom: 1"},
    {"only_a_comment", 1, 1, "carom: 1"},
    {"not_a_mapping", 2, 1, "mapping"},
    {"a_list", 2, 1, "mapping"},
    {"tab_indentation", 7, 1, "tab"},
    {"tab_after_dash", 14, 4, "tab"},
    {"unclosed_brace", 8, 1, "missing"},
    {"unclosed_bracket", 5, 11, "missing"},
    {"unclosed_quote", 4, 8, "quote"},
    {"colon_in_title", 4, 12, "quoted"},
    {"uneven_indentation", 9, 4, ""},
    {"duplicate_key", 7, 33, "line"},
    {"duplicate_body", 8, 3, "line"},
    {"duplicate_section", 14, 1, "line"},
    {"second_document", 14, 1, "one"},
    {"anchor", 7, 9, "parameters"},
    {"alias", 7, 9, "parameters"},
    {"tag", 7, 16, "tag"},
    {"merge_key", 7, 10, "merge"},
    {"missing_blank_after_colon", 13, 7, "blank"},
    {"mapping_as_key", 13, 7, "word"},
    {"deep_brackets", 4, 73, "64"},
    {"deep_indentation", 68, 65, "64"},
    {"deep_dashes", 5, 129, "64"},
    {"binary", 1, 1, "UTF-8"},
    {"nul_character", 2, 13, "NUL"},
    {"latin_1", 2, 11, "UTF-8"},
    {"utf_16", 1, 1, "UTF-8"},
    {"misspelt_section", 6, 1, "did you mean 'bodies'"},
    {"misspelt_key", 7, 19, "did you mean 'inertia'"},
    {"misspelt_law_parameter", 12, 73, "did you mean 'restitution'"},
    {"misspelt_shape_parameter", 9, 34, "did you mean 'radius'"},
    {"misspelt_run_key", 13, 17, "did you mean 'tolerance'"},
    {"misspelt_output_key", 13, 26, "did you mean 'every'"},
    {"key_of_another_object", 7, 33, "there are"},
    {"parameter_of_another_shape", 9, 34, "there are"},
    {"missing_version", 2, 1, "carom"},
    {"missing_dimension", 2, 1, "dimension"},
    {"missing_run", 2, 1, "run"},
    {"newer_version", 2, 8, "version"},
    {"missing_mass", 7, 3, "mass"},
    {"missing_inertia", 7, 3, "inertia"},
    {"missing_until", 13, 1, "until"},
    {"missing_type", 9, 3, "type"},
    {"missing_law", 12, 33, "law"},
    {"missing_between", 9, 3, "between"},
    {"missing_value", 7, 10, "no value"},
    {"key_of_space_in_the_plane", 7, 33, "angle"},
    {"key_of_the_plane_in_space", 7, 53, "orientation"},
    {"axis_in_the_plane", 9, 54, "z"},
    {"dimension_4", 3, 12, "at most 3"},
    {"dimension_two_and_a_half", 3, 12, "whole"},
    {"vector_too_long", 7, 37, "has 3"},
    {"vector_too_short", 7, 42, "has 2"},
    {"number_for_a_vector", 4, 10, "list"},
    {"vector_for_a_number", 7, 16, "number"},
    {"number_for_a_spatial_inertia", 7, 27, "Ixx"},
    {"scalar_for_a_mapping", 7, 9, "mapping"},
    {"list_for_bodies", 7, 3, "mapping"},
    {"negative_mass", 7, 16, "greater than 0"},
    {"zero_mass", 7, 16, "greater than 0"},
    {"negative_inertia", 7, 28, "greater than 0"},
    {"until_zero", 13, 14, "greater than 0"},
    {"negative_tolerance", 13, 28, "greater than 0"},
    {"tolerance_of_two", 13, 28, "less than 1"},
    {"poisson_of_one", 14, 35, "at most 0.5"},
    {"nan", 7, 16, "finite"},
    {"infinity", 7, 38, "finite"},
    {"too_large_a_number", 7, 16, ""},
    {"division_by_zero", 7, 17, "zero"},
    {"zero_over_zero", 7, 17, "zero"},
    {"root_of_a_negative_number", 7, 16, ""},
    {"time_in_a_constant", 7, 20, "t"},
    {"misspelt_parameter", 9, 42, "did you mean 'radius'"},
    {"misspelt_function", 7, 16, ""},
    {"unit_without_times", 7, 19, ""},
    {"word_for_a_number", 7, 16, ""},
    {"decimal_comma", 7, 37, "has 3"},
    {"comma_not_quoted", 9, 62, "quoted"},
    {"measure_in_a_prescribed_motion", 9, 62, ""},
    {"cyclic_parameter", 6, 8, "cycle"},
    {"event_without_action", 4, 10, "do"},
    {"event_of_a_number", 0, 0, "condition"},
    {"event_of_an_unknown_action", 4, 32, "did you mean 'lock'"},
    {"event_of_an_unknown_joint", 0, 0, "no joint 'pin'"},
    {"event_locks_a_driven_joint", 0, 0, "prescribed"},
    {"event_stops_a_value", 4, 32, "stop"},
    {"output_of_an_unknown_contact", 0, 0, "no contact 'hit'"},
    {"force_of_its_own_force", 0, 0, "loop"},
    {"path_without_a_quantity", 5, 43, "three parts"},
    {"state_without_rate", 4, 10, "rate"},
    {"state_of_an_unknown_name", 4, 28, "did you mean 'level'"},
    {"state_named_as_an_input", 4, 10, "two values"},
    {"motion_of_a_state", 0, 0, "derivatives"},
    {"state_of_an_unknown_body", 0, 0, "no body 'c'"},
    {"input_named_as_a_parameter", 5, 10, "line 4"},
    {"input_with_a_hyphen", 4, 10, "subtraction"},
    {"input_of_a_reserved_name", 4, 10, "reserved"},
    {"input_for_a_constant", 5, 20, "constant"},
    {"input_misspelt", 6, 43, "did you mean 'push'"},
    {"input_unknown_key", 4, 27, "did you mean 'unit'"},
    {"parameter_of_itself", 5, 17, "cycle"},
    {"forward_reference", 5, 19, "later"},
    {"reserved_parameter", 5, 14, "reserved"},
    {"parameter_with_hyphen", 5, 14, "_"},
    {"word_as_a_number", 7, 18, "$law"},
    {"number_as_a_word", 12, 47, "number"},
    {"unknown_reference", 12, 47, "did you mean '$law'"},
    {"reference_without_dollar", 12, 47, "did you mean '$law'"},
    {"list_as_a_parameter", 5, 46, "number"},
    {"spline_of_two_points", 14, 11, "three"},
    {"spline_not_ascending", 14, 31, "ascend"},
    {"misspelt_law", 12, 47, "did you mean 'flores'"},
    {"misspelt_joint_type", 9, 15, "did you mean 'revolute'"},
    {"misspelt_shape_type", 9, 16, "did you mean 'sphere'"},
    {"misspelt_integrator", 13, 29, "did you mean 'adams'"},
    {"misspelt_analysis", 13, 27, "did you mean 'dynamics'"},
    {"misspelt_constraint_method", 13, 30, "did you mean 'projection'"},
    {"both_names", 10, 85, "former name of 'tension'"},
    {"misspelt_release", 12, 98, "did you mean 'clip'"},
    {"body_named_ground", 7, 3, "world"},
    {"name_with_blank", 7, 3, "letters"},
    {"name_as_a_number", 7, 3, "letters"},
    {"name_too_long", 7, 3, "longer"},
    {"three_frames", 9, 34, "two"},
    {"point_without_body", 9, 35, "body"},
    {"point_of_two_bodies", 8, 35, "mapping of one entry"},
    {"point_with_axes_of_nothing", 8, 76, "give a direction"},
    {"load_between_for_on", 12, 20, "on one joint; write 'on'"},
    {"load_without_frame", 12, 3, "on"},
    {"orientation_of_three_numbers", 7, 66, "axis"},
    {"orientation_without_angle", 7, 66, "angle"},
    {"orientation_about_nothing", 7, 73, "direction"},
    {"zero_quaternion", 7, 66, "quaternion"},
    {"misspelt_body", 0, 0, ""},
    {"misspelt_frame", 0, 0, ""},
    {"shape_on_no_body", 0, 0, ""},
    {"contact_of_no_shape", 0, 0, ""},
    {"contact_on_one_body", 0, 0, ""},
    {"contact_of_two_planes", 0, 0, ""},
    {"torus_thicker_than_its_circle", 0, 0, "torus"},
    {"rim_larger_than_the_cylinder", 0, 0, "rim"},
    {"ball_larger_than_the_groove", 0, 0, "fit"},
    {"two_hollow_shapes", 0, 0, "hollow"},
    {"gear_without_teeth", 0, 0, "teeth is 0"},
    {"gear_of_half_a_tooth", 0, 0, "whole number, not 20.5"},
    {"gear_with_pointed_teeth", 0, 0, "the tooth is pointed"},
    {"gear_without_spaces", 0, 0, "no space left: its width at the radius 0.194 m"},
    {"gear_thinned_to_nothing", 0, 0, "a smaller thinning"},
    {"gear_of_another_module", 0, 0, "base pitches 0.00738"},
    {"gear_on_a_disc", 0, 0, "no contact between gear and sphere"},
    {"gear_two_rings", 0, 0, "two rings"},
    {"gear_ring_within_its_base_circle", 0, 0, "within the base circle"},
    {"hollow_shape_on_a_plane", 0, 0, "hollow"},
    {"revolution_without_meridian", 0, 0, "meridian"},
    {"capsule_of_one_point", 0, 0, "points"},
    {"ellipsoid_in_the_plane", 0, 0, "dimension 2"},
    {"hertz_at_a_sharp_corner", 0, 0, "stiffness"},
    {"word_for_hollow", 8, 73, "false|true"},
    {"unknown_material", 0, 0, ""},
    {"restitution_above_one", 0, 0, "12:86: contact 'hit': restitution is 1.2; it must be above 0 and at most 1"},
    {"tsuji_restitution_above_one", 0, 0, "12:85: contact 'hit': restitution is 1.2; it must be at least 0"},
    {"negative_restitution", 0, 0, ""},
    {"gonthier_without_restitution_left", 0, 0, "12:88: contact 'hit': restitution is 0; it must be above 0"},
    {"flores_without_restitution_left", 0, 0, "12:86: contact 'hit': restitution is 0; it must be above 0"},
    {"hu_guo_without_restitution_left", 0, 0, "12:86: contact 'hit': restitution is 0; it must be above 0"},
    {"marhefka_orin_below_its_pole", 0, 0, "12:103: contact 'hit': restitution is 0.3; it must be above 0.333333"},
    {"linear_damping_on_hertz", 0, 0,
     "anagnostopoulos does not fit elastic power: its damping ratio is that of a linear"},
    {"hertz_damping_on_a_linear_spring", 0, 0,
     "jankowski does not fit elastic hooke: its damping ratio is derived for"},
    {"khulief_shabana_with_an_exponent", 0, 0, "khulief-shabana does not fit elastic power: it is for linear springs"},
    {"misspelt_friction", 12, 108, "did you mean 'coulomb'"},
    {"friction_without_law", 12, 92, "missing key 'law'"},
    {"friction_without_coefficient", 0, 0, "lugre needs 'kinetic'"},
    {"friction_parameter_of_another_law", 12, 131, "there are"},
    {"misspelt_friction_parameter", 12, 117, "did you mean 'kinetic'"},
    {"negative_friction", 0, 0, "kinetic is -0.3; it must be at least 0"},
    {"static_below_kinetic", 0, 0, "static must not be below kinetic"},
    {"negative_rolling", 12, 140, "at least 0"},
    {"rolling_speed_zero", 12, 161, "greater than 0"},
    {"line_law_without_length", 0, 0, "goldsmith needs 'length'"},
    {"line_law_on_a_plane", 0, 0, "two cylinders of finite radius"},
    {"line_law_with_a_stiffness", 0, 0, "no parameter 'stiffness'; there are: E_i"},
    {"thornton_without_yield", 0, 0, "contact_yield"},
    {"memory_with_damping", 0, 0, "has its loss already"},
    {"walton_braun_given_twice", 0, 0, "takes either restitution or hardening, not both"},
    {"damping_given_twice", 0, 0, "tsuji takes either alpha or restitution, not both"},
    {"neither_alpha_nor_restitution", 0, 0, "tsuji needs alpha or restitution"},
    {"viscosities_incomplete", 0, 0, "needs chi, or viscous_time, or the four eta1, eta2, E and nu"},
    {"missing_depth", 0, 0, "adams-impact needs 'depth'"},
    {"negative_damping", 0, 0, "12:86: contact 'hit': damping is -100; it must be at least 0"},
    {"exact_without_restitution_left", 0, 0, ""},
    {"missing_restitution", 0, 0, ""},
    {"negative_stiffness", 0, 0, ""},
    {"neither_stiffness_nor_material", 0, 0, ""},
    {"linear_law_without_stiffness", 0, 0, ""},
    {"stiffness_given_twice", 0, 0, ""},
    {"sphere_of_radius_0", 0, 0, ""},
    {"missing_radius", 0, 0, ""},
    {"zero_normal", 0, 0, ""},
    {"step_missing", 0, 0, ""},
    {"projection_with_a_constraint_parameter", 13, 49, ""},
    {"projection_with_adams", 0, 0, ""},
    {"joint_on_one_body", 0, 0, ""},
    {"spatial_joint_in_the_plane", 0, 0, "9:15: joint 'pin': there is no universal joint in a planar model; use `"},
    {"zero_axis", 0, 0, ""},
    {"missing_axis", 0, 0, ""},
    {"rate_of_a_joint_without_coordinate", 0, 0, ""},
    {"clearance_negative", 7, 69, "greater than 0"},
    {"clearance_zero", 7, 69, "greater than 0"},
    {"clearance_misspelt_key", 7, 61, "did you mean 'radial'"},
    {"clearance_without_normal", 7, 49, "missing key 'normal'"},
    {"clearance_without_law", 7, 92, "law"},
    {"clearance_without_radius", 0, 0, "'radius' is missing"},
    {"clearance_without_axial_play", 0, 0, "of type cylindrical"},
    {"clearance_of_a_fixed_joint", 0, 0, "a fixed joint takes none"},
    {"clearance_of_another_joint", 0, 0, "'height' does not apply"},
    {"clearance_with_motion", 0, 0, "has no motion"},
    {"joint_friction_without_law", 8, 49, "missing key 'law'"},
    {"joint_friction_without_radius", 0, 0, "8:59: joint 'pin': friction: 'radius' is missing"},
    {"joint_friction_of_a_fixed_joint", 0, 0,
     "joint 'pin': friction: a fixed joint takes none; revolute, translational"},
    {"joint_friction_with_a_contact_law", 0, 0, "8:65: joint 'pin': friction: mindlin is made for contacts"},
    {"joint_friction_with_clearance", 0, 0, "write it within `clearance`"},
    {"joint_friction_size_of_another", 0, 0, "'length' does not apply to a joint of this type"},
    {"joint_friction_of_space", 8, 102, "for spatial models"},
    {"joint_friction_misspelt", 8, 88, "did you mean 'radius'"},
    {"joint_friction_negative_preload", 8, 111, "at least 0 N"},
    {"joint_friction_static_below_kinetic", 0, 0, "static must not be below kinetic"},
    {"spring_of_a_fixed_joint", 0, 0, "8:54: joint 'pin': a fixed joint has no coordinate, so it takes no spring"},
    {"spring_of_a_joint_misspelt", 8, 58, "did you mean 'stiffness'"},
    {"spring_of_a_joint_without_stiffness", 0, 0, "joint 'pin': spring: give its 'stiffness', 'cubic' or 'curve'"},
    {"spring_of_a_joint_as_a_number", 8, 57, "such as {stiffness: ...}"},
    {"damper_of_a_joint_empty", 0, 0, "8:57: joint 'pin': damper: joint-damper needs 'damping'"},
    {"damper_of_a_joint_negative", 0, 0, "damping is -1; it must be at least 0"},
    {"clearance_edge_too_large", 0, 0, "at most half"},
    {"clearance_line_law_without_length", 0, 0, "johnson needs 'length'"},
    {"impossible_inertia", 0, 0, ""},
    {"impossible_products_of_inertia", 0, 0, ""},
    {"unreachable_assembly", 0, 0, ""},
    {"four_bar_too_short", 0, 0, ""},
    {"two_welds_that_contradict", 0, 0, ""},
    {"velocity_against_a_joint", 0, 0, ""},
    {"rate_against_velocity", 0, 0, ""},
    {"two_motions_that_contradict", 0, 0, ""},
    {"motion_of_no_frame", 0, 0, ""},
    {"misspelt_measure", 0, 0, ""},
    {"measure_of_no_joint", 0, 0, ""},
    {"measure_hidden_by_a_parameter", 12, 44, "hides the measure vx(...); give it another name"},
    {"negative_spring_stiffness", 0, 0, ""},
    {"misspelt_load_axes", 0, 0, "12:53: load 'push': no axes 'wold'; did you mean 'world'"},
    {"load_axes_of_no_frame", 0, 0, "12:53: load 'push': no frame on body 'arm' named 'rot'; did you mean 'root'"},
    {"spring_without_stiffness", 0, 0, "12:3: load 's': give its 'stiffness', 'cubic' or 'curve'"},
    {"spring_given_twice", 0, 0, "14:3: load 's': 'curve' is the whole elastic force"},
    {"spring_of_no_curve", 0, 0, "14:52: load 's': no spline 'bend'; did you mean 'bent'"},
    {"misspelt_spring_side", 12, 65, "did you mean 'tension'"},
    {"limits_of_neither_side", 0, 0, "11:13: joint 'pin': limits: limits need 'lower', 'upper' or both"},
    {"motor_of_no_joint", 0, 0, "12:24: load 'm': no joint with a coordinate named 'pn'; did you mean 'pin'"},
    {"motor_without_gain", 0, 0, "12:3: load 'm': a motor needs a gain"},
    {"motor_target_of_a_measure", 12, 37, "values of the state are not available"},
    {"bushing_curve_out_of_plane", 0, 0, "14:3: load 'b': a planar bushing has the curves"},
    {"force_on_and_between", 12, 32, "remove one"},
    {"stretch_of_no_spring", 0, 0, "load with a free length named 'arm'"},
    {"profile_with_an_unknown_segment", 9, 47, "did you mean 'line'"},
    {"profile_with_two_keys_in_a_segment", 9, 46, "one key"},
    {"profile_of_no_segments", 9, 45, "list of segments"},
    {"arc_of_radius_zero", 9, 61, "greater than 0"},
    {"arc_without_radius", 9, 47, "radius"},
    {"polygon_of_numbers", 9, 45, "list of points"},
    {"profile_with_a_gap", 0, 0, "segment 2: the segment does not begin where the one before it ends"},
    {"profile_that_crosses_itself", 0, 0, "segment 3: the curve crosses"},
    {"profile_not_closed", 0, 0, "does not begin where"},
    {"arc_of_no_length", 0, 0, "must differ"},
    {"line_of_three_points", 0, 0, "two points"},
    {"spline_clamped_without_tangents", 0, 0, "tangents"},
    {"polynomial_of_degree_nine", 0, 0, "8 coefficients"},
    {"polygon_clockwise", 0, 0, "counterclockwise"},
    {"polygon_that_crosses_itself", 0, 0, "side 3: the curve crosses"},
    {"polygon_of_two_points", 0, 0, "segment"},
    {"slot_of_no_length", 0, 0, "move them apart"},
    {"slot_narrower_than_its_pin", 0, 0, "radii -0.2 m and 0.25 m"},
    {"box_of_no_height", 0, 0, "positive"},
    {"curved_slot_too_wide", 0, 0, "half width"},
    {"segment_in_space", 0, 0, "dimension 3"},
    {"many_and_two", 10, 7, "remove one"},
    {"many_of_one", 0, 0, "10:12: contact 'c': 'all' names 1 shape"},
    {"exception_without_many", 10, 28, "goes with 'all'"},
    {"many_with_an_unknown_shape", 0, 0, "10:12: contact 'c': no shape 'flor'; did you mean 'floor'?"},
    {"exception_of_an_unknown_shape", 0, 0, "10:33: contact 'c': no shape 'flor'"},
    {"exceptions_that_are_no_pairs", 10, 33, "each [shape, shape]"},
    {"joined_perhaps", 10, 32, "yes or no"},
    {"no_copies", 5, 18, "body 'ball': 'copies' is 0"},
    {"copies_not_whole", 5, 18, "whole number"},
    {"many_pairs_located", 0, 0, "more than 2000 pairs of shapes"},
    {"many_with_friction_that_holds", 0, 0, "friction coulomb needs located onsets"},
    {"contact_of_nothing", 10, 7, "did you mean 'normal'"},
    {"random_of_time", 5, 63, "may not depend on time"},
    {"many_as_mapping", 10, 12, "list of shapes"},
    {"parameter_called_copy", 6, 10, "number of the copy"},
    {"copies_in_copies", 5, 60, "frame 'f' has copies within"},
    {"copy_of_half", 7, 49, "joint 'j': '$(copy/2)' is 0.5 for copy 1"},
    {"copies_on_copies", 7, 7, "'a_$copy'"},
    {"copy_that_is_not_there", 0, 0, "7:50: joint 'j_2': no body 'a_3'; did you mean 'a_1'?"},
    {"spline_of_no_width", 7, 35, "'to' must be greater"},
    {"function_of_two_points", 7, 46, "4 to 100000"},
    {"spline_without_end", 7, 3, "missing key 'to'"},
    {"spline_that_does_not_return", 7, 14, "0.841471 where it ends"},
    {"spline_of_time", 7, 18, "may not depend on time"},
};

/* Is the model refused with a message of one line that has the text? */
static bool compile_refuses(const char *path, const char *name, const char *has)
{
    carom_model *model = NULL;
    if (!*has)
        return true;
    carom_status status = carom_model_load(shared, path, NULL, 0, &model);
    const char *error = carom_context_error(shared);
    carom_model_free(model);
    if (status == CAROM_ERROR_MODEL && strstr(error, has) && !strchr(error, '\n'))
        return true;
    print_error("%s: status %d, without '%s': %s\n", name, status, has, error);
    return false;
}

static void test_wrong_files(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        char path[1024], place[1100];
        carom_document *document;
        snprintf(path, sizeof path, "%s%s.yaml", WRONG, wrong[k].name);
        carom_status status = carom_document_read(shared, path, NULL, 0, &document);
        const char *error = carom_context_error(shared);
        if (wrong[k].line == 0) {
            if (status != CAROM_OK) {
                print_error("%s: the reader refuses it: %s\n", wrong[k].name, error);
                failures++;
            }
            carom_document_free(document);
            failures += !compile_refuses(path, wrong[k].name, wrong[k].has);
            continue;
        }
        snprintf(place, sizeof place, "%s:%d:%d: ", path, wrong[k].line, wrong[k].column);
        bool good = status == CAROM_ERROR_MODEL && !document && strncmp(error, place, strlen(place)) == 0 &&
                    strstr(error + strlen(place), wrong[k].has) && !strchr(error, '\n');
        if (!good) {
            print_error("%s: status %d, not '%s' with '%s': %s\n", wrong[k].name, status, place, wrong[k].has, error);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static void test_wrong_texts(void **state)
{
    (void)state;
    refuse(HEAD "bodies: {a: {mass: 1, inertia: 1, at: [1, 'max(1 2)']}}\n", 4, 50, "body 'a'");
    refuse(HEAD "bodies: {a: {mass: '1/(2 - 2)', inertia: 1}}\n", 4, 22, "'mass': division by zero");
    refuse(HEAD "bodies: {a: {mass: 1, inertia: 1, at: [1, max(1, 2)]}}\n", 4, 43, "quoted");
    refuse(HEAD "title: [a]\n", 4, 8, "text");
    refuse(HEAD "gravity: [0, ]\n", 4, 10, "has 1");
    refuse(HEAD "gravity: [0, [1]]\n", 4, 14, "number");
    refuse(HEAD "run2: 1\n", 4, 1, "did you mean 'run'?");
    refuse(HEAD "joints: {a: {tpye: revolute, between: [ground, b]}}\n", 4, 10, "'tpye' meant");
    refuse("carom: 1\ndimension: 2\nrun: []\n", 3, 6, "mapping");
    refuse("carom: 1\ndimension: 2\nrun: [1]\n", 3, 7, "mapping");
    refuse("carom: 1\ndimension: 2\nrun: 3\n", 3, 6, "mapping");
    refuse("carom: 1\ndimension: 2\nrun: [{until: 1}, {until: -1}]\n", 3, 27, "run 2: 'until'");
    refuse("carom: 0\ndimension: 2\nrun: {until: 1}\n", 1, 8, "version");
    refuse("carom: 2\nfuture: 2\n", 1, 8, "newer");
    refuse("carom: 1\ndimension: 2\nrun: {until: 1}\n\x01", 4, 1, "control character");
    refuse(HEAD "contacts: {a: {between: [p, q], normal: {law: flores, damping: 3}}}\n", 4, 64, "damping");
    refuse(HEAD "contacts: {a: {between: [p, q], normal: {law: flores, damping: floes}}}\n", 4, 64, "'flores'");
    refuse(HEAD "contacts: {a: {between: p, normal: {law: flores}}}\n", 4, 25, "two shapes");
    refuse(HEAD "contacts: {a: {between: [p, q], normal: flores}}\n", 4, 41, "mapping");
    refuse(HEAD "loads: {a: {type: spring, on: b, stiffness: 1}}\n", 4, 27, "between");
    refuse(HEAD "loads: {a: {type: spring, stiffness: 1}}\n", 4, 9, "between");
    refuse(HEAD "joints: {a: {type: revolute, between: [ground, {a: [0, 0], b: [0, 0]}]}}\n", 4, 48, "one entry");
    refuse(HEAD "joints: {a: {type: revolute, between: [ground, {a.f: [0, 0]}]}}\n", 4, 49, "centre of mass");
    refuse(HEAD "joints: {a: {type: revolute, between: [ground, a.b.c]}}\n", 4, 48, "frame");
    refuse(HEAD "bodies: {a: {mass: 1, inertia: 1, frames: {f: {angle: 1}}}}\n", 4, 48, "frame 'f'");
    refuse(HEAD "parameters: {a: $b, b: 1}\n", 4, 17, "later");
    refuse(HEAD "parameters: {a: $a}\n", 4, 17, "cycle");
    refuse(HEAD "parameters: {a: $b, b: $a}\n", 4, 17, "a -> b -> a");
    refuse(HEAD "parameters: {a: 1, b: a b}\n", 4, 25, "itself");
    refuse(HEAD "parameters: {a: 2*t}\n", 4, 19, "time");
    refuse(HEAD "splines: {s: 1}\n", 4, 14, "three");
    refuse("\xef\xbb\xbf" "carom: 1\ndimension: 2\nrun: {unti: 1}\n", 3, 7, "until");
}

/* ---- large and deep texts ---- */

/* Repeats a piece to about `size` bytes behind a head; the caller frees it. */
static char *repeated(const char *head, const char *piece, size_t size)
{
    size_t n = strlen(piece), count = size / n;
    char *text = malloc(strlen(head) + count * n + 1);
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", head);
    for (size_t k = 0; k < count; k++, at += n)
        memcpy(at, piece, n);
    *at = '\0';
    return text;
}

static void test_hostile_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *head, *piece;
        size_t size;
        const char *has;
    } rows[] = {
        {HEAD "title: ", "x", CAROM_TREE_BYTES, "MiB"},
        {HEAD "gravity: ", "[", 1000000, "64 levels"},
        {HEAD "gravity: ", "{a: ", 1000000, "64 levels"},
        {HEAD "gravity: ", "[\n", 1000000, "64 levels"},
        {HEAD "a:\n  ", "- ", 1000000, "64 levels"},
        {HEAD "a:\n  ", "? ", 1000000, "64 levels"},
        {HEAD "gravity: [", "1,", CAROM_TREE_BYTES - 100, "values"},
        {HEAD "gravity: [", "1, ", 1500000, "missing"},
        {HEAD "x:\n", " y: 1\n", 600000, "duplicate"},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        char *text = repeated(rows[k].head, rows[k].piece, rows[k].size);
        carom_document *document;
        double start = seconds();
        expect_error(parse(text, &document), CAROM_ERROR_MODEL, rows[k].has);
        assert_true(seconds() - start < 20);
        free(text);
    }
    /* a long mapping of different keys takes no quadratic time */
    size_t n = 100000;
    char *text = malloc(n * 12 + 200), *at = text;
    assert_non_null(text);
    at += sprintf(at, HEAD "x:\n");
    for (size_t k = 0; k < n; k++)
        at += sprintf(at, " k%zu: 1\n", k);
    carom_document *document;
    double start = seconds();
    expect_error(parse(text, &document), CAROM_ERROR_MODEL, "unknown key 'x'");
    assert_true(seconds() - start < 20);
    free(text);
}

static void test_depth_is_counted_exactly(void **state)
{
    (void)state;
    for (int depth = 60; depth < 68; depth++) {
        char text[400], *at = text;
        carom_document *document;
        at += sprintf(at, HEAD "gravity: ");
        for (int k = 1; k < depth; k++)
            *at++ = '[';
        for (int k = 1; k < depth; k++)
            *at++ = ']';
        *at = '\0';
        expect_error(parse(text, &document), CAROM_ERROR_MODEL,
                     depth > CAROM_TREE_DEPTH ? "64 levels" : "takes 2 numbers");
    }
}

/* ---- mutated texts ---- */

static uint64_t random_state = 88172645463325252u;

static size_t random_below(size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return n ? (size_t)(random_state % n) : 0;
}

/* One to six changes: bytes, indicators, segments copied, cut and swapped. */
static size_t mutate(char *text, size_t length, size_t room)
{
    static const char indicators[] = "[]{},:#&*!|>'\"%@`-? \n\t$()^0eE.\\\x80\xff";
    size_t changes = 1 + random_below(6);
    for (size_t k = 0; k < changes && length > 0; k++) {
        size_t at = random_below(length), n = 1 + random_below(40);
        if (n > length - at)
            n = length - at;
        switch (random_below(5)) {
        case 0:
            text[at] = (char)random_below(256);
            break;
        case 1:
            text[at] = indicators[random_below(sizeof indicators - 1)];
            break;
        case 2:
            memmove(text + at, text + at + n, length - at - n);
            length -= n;
            break;
        case 3:
            if (length + n <= room) {
                memmove(text + at + n, text + at, length - at);
                memmove(text + at, text + random_below(length), n);
                length += n;
            }
            break;
        default:
            memmove(text + random_below(length - n + 1), text + at, n);
            break;
        }
    }
    return length;
}

static void test_mutated_texts(void **state)
{
    (void)state;
    size_t right_ones = 0;
    double start = seconds();
    for (int k = 0; k < 20000; k++) {
        const char *source = k % 4 == 3 ? example_json : example;
        size_t length = strlen(source), room = length + 400;
        char *text = malloc(room), *exact = NULL;
        assert_non_null(text);
        memcpy(text, source, length);
        length = mutate(text, length, room);
        /* a block of the exact size, so that a read behind the end is seen */
        exact = malloc(length ? length : 1);
        assert_non_null(exact);
        memcpy(exact, text, length);
        carom_document *document = NULL;
        carom_status status = carom_document_parse(shared, "mutated.yaml", exact, length, NULL, 0, &document);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MODEL);
        assert_true(status == CAROM_OK || (!document && carom_context_error(shared)[0]));
        right_ones += status == CAROM_OK;
        carom_document_free(document);
        free(exact);
        free(text);
    }
    assert_true(seconds() - start < 100);
    assert_true(right_ones > 200 && right_ones < 18000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wrong_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_depth_is_counted_exactly, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mutated_texts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
