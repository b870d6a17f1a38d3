/**
 * Owns how a thread's posts stand in one text: people read, edit and approve a thread as a whole.
 * A line of three hyphens separates two posts. Such a line within a post has a backslash before it,
 * and one with backslashes gets one more, so that every thread comes apart as it was put together.
 */

const separator = '\n---\n'
const separatingLine = /\r?\n-{3}[ \t]*(?=\r?\n|$)/

export function joinSegments(segments: readonly string[]): string {
  return segments.map((segment) => segment.replace(/^\\*-{3}[ \t]*\r?$/gm, '\\$&')).join(separator)
}

export function splitSegments(text: string): readonly string[] {
  return `\n${text}`
    .split(separatingLine)
    .map((segment) => segment.replace(/^\\(?=\\*-{3}[ \t]*\r?$)/gm, '').trim())
    .filter((segment) => segment !== '')
}
