/** The folders here, as scripts/list-languages.mjs found them: a language is added by adding its folder. */
export const LANGUAGES = ['de', 'en', 'es', 'fr', 'it'] as const
