export interface ExportOptions {
  /** The chargers are the practice service's: the file says so wherever a reader may look. */
  sample: boolean
}

export const SAMPLE_NOTICE = 'Sample data, not for navigation'

/** The name of the whole collection. */
export function collectionName({ sample }: ExportOptions): string {
  return sample ? `Chargers at airfields (${SAMPLE_NOTICE})` : 'Chargers at airfields'
}
