/** Breaks text into lines that fit the reader's terminal. */

export function wrap(text: string, width: number, indent = ''): readonly string[] {
  const room = Math.max(20, width - indent.length)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && line.length + 1 + word.length > room) {
        lines.push(indent + line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(indent + line)
  }
  return lines
}
