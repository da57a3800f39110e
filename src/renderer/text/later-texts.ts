/**
 * Catalogues that the page starts without: each is a file of its own in every language (electron.vite.config.ts), and is loaded together
 * with what shows it, by `withTexts`.
 */
export const LATER_TEXTS: readonly string[] = [
  'chargers',
  'credits',
  'edits',
  'folders',
  'recipe',
  'settings',
  'signIn',
]
