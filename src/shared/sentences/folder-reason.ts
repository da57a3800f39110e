import { z } from 'zod'
import folders from '../text/en/folders.json' with { type: 'json' }

const FOREIGN_CODES = ['bin', 'snapshot', 'library', 'packages'] as const

/** Why a watched folder is in its state, or why a file or folder in it is left out; `reason` in the `folders` catalogue. */
const FolderReasonCode = z.enum([
  // The folder cannot be scanned now, and is retried.
  'not_there',
  'not_a_folder',
  'no_permission',
  'unreadable',
  'too_few_files',
  // It is polled, because file events are not available.
  'network_drive',
  'no_watches',
  'no_handles',
  'watch_failed',
  'emptied',
  // Another folder is in its place.
  'replaced',
  // It is not watched until a person changes something or the reason is gone.
  'same_folder',
  'own_folder',
  'in_output_folder',
  'in_library',
  'bad_pattern',
  'not_absolute',
  // A folder in it is not entered: what another program keeps there is no person's picture.
  ...FOREIGN_CODES,
  // An entry in it is left out.
  'pattern_too_costly',
  'format_left_out',
  'bad_name',
  'folder_no_permission',
  'folder_unreadable',
  // A given path cannot be used.
  'own_file',
  'link',
  'not_a_picture',
  'nothing_there',
])
type FolderReasonCode = z.infer<typeof FolderReasonCode>

export const FolderReason = z.object({
  code: FolderReasonCode,
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type FolderReason = z.infer<typeof FolderReason>

export function folderReason(code: FolderReasonCode, values: FolderReason['values'] = {}): FolderReason {
  return { code, values }
}

/** Whether it is about a folder that is left out because another program keeps it: nothing went wrong. */
export function isForeign({ code }: FolderReason): boolean {
  return (FOREIGN_CODES as readonly string[]).includes(code)
}

/** The text for the command line and the log. */
export function folderReasonText({ code, values }: FolderReason): string {
  return folders[`reason.${code}`].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}
