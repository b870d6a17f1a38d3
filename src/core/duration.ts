/** Owns the names of durations, so that no bare factor of 60,000 stands anywhere. */

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
