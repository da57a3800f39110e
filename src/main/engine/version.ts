import manifest from '../../../package.json' with { type: 'json' }

/** The version of this Hangar. */
export const VERSION: string = manifest.version
