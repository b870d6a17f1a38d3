/** Owns the variable by which the short form of the live tests is asked for. */

export const shortForm = 'SECONDWIND_TEST_SHORT_FORM'
