import i18next from 'i18next'
import type { LeftFile } from '../../shared/contract/texts.ts'
import { toast } from '../parts/toasts.tsx'

/** Shows which files keep their old embedded texts, and why. */
export function showFilesLeft(files: readonly LeftFile[]): void {
  for (const { name, why } of files) toast(i18next.t(`detail:texts.fileLeft.${why}`, { name }))
}
