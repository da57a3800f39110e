/** Takes a journal from the version before to its own; never edited once released. */
export interface Migration {
  sql: string
  /** Temporary tables and views in place of what a journal before it lacks, so that it can be read without being changed. */
  standIn?: string
}
