/**
 * Owns how a thread's posts stand in one text: people read, edit and approve a thread as a whole.
 * A line of three hyphens between two posts separates them.
 */

const separator = '\n---\n'

export function joinSegments(segments: readonly string[]): string {
  return segments.join(separator)
}

export function splitSegments(text: string): readonly string[] {
  return text
    .split(/\n-{3}\n/)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '')
}
