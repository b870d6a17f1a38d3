/** Owns the names of durations, so that no bare factor of 60,000 stands anywhere. */

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** 10,000 years. No setting is longer, so that the end of any hold can be written as a date. */
export const longestMs = 10_000 * 365 * dayMs
