/** One word for a POSIX shell, whatever is in it. */
export function shellArgument(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
