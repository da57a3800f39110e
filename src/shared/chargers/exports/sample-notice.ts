export interface ExportOptions {
  /** The chargers come from the practice service: the file says so wherever a reader may look. */
  sample: boolean
  /** Unix milliseconds: decides which live states are current. */
  nowMs: number
}

export const SAMPLE_NOTICE = 'Sample data, not for navigation'

/** The name of the whole collection. */
export function collectionName({ sample }: Pick<ExportOptions, 'sample'>): string {
  return sample ? `Chargers at airfields (${SAMPLE_NOTICE})` : 'Chargers at airfields'
}
