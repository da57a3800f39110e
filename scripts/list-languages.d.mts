export const TEXT_DIR: string
export function languageList(dir: string): string
export function writeLanguageList(dir?: string): void
