/** The part of the package that tests use: it has no types of its own. */
declare module 'xliff' {
  interface Read {
    /** By the ids of files and units. */
    resources: Record<string, Record<string, { source: string; target?: string }>>
    sourceLanguage: string
    targetLanguage?: string
  }
  export function xliff2js(document: string): Promise<Read>
  export function js2xliff(read: Read): Promise<string>
}
