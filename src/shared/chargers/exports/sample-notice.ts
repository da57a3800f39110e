export interface ExportOptions {
  /** The chargers are the practice service's: the file says so wherever a reader may look. */
  sample: boolean
  /** Unix milliseconds: which live states are of now. */
  nowMs: number
}

export const SAMPLE_NOTICE = 'Sample data, not for navigation'

/** The name of the whole collection. */
export function collectionName({ sample }: Pick<ExportOptions, 'sample'>): string {
  return sample ? `Chargers at airfields (${SAMPLE_NOTICE})` : 'Chargers at airfields'
}
