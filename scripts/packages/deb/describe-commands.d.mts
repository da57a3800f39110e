/** `files`, `folders`, `text`, or the words that are taken. */
export type Takes = 'files' | 'folders' | 'text' | string[]
export interface CommandTree {
  /** `hangar`, `key`, `set`. */
  words: string[]
  usage: string
  summary: string
  description: string
  after: string
  arguments: { name: string; isMany: boolean; description: string; takes: Takes }[]
  options: { flags: string; names: string[]; description: string; takes: Takes | null }[]
  commands: CommandTree[]
}
