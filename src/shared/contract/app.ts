import { z } from 'zod'
import { CAPABILITIES, MANAGER_IDS } from '../runtime/ports.ts'
import { nothing, type Calls } from './call.ts'

export const AppInfo = z.object({
  version: z.string(),
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** The folder of journal, log and previews; for display only. */
  dataDir: z.string(),
  /** `linux`, `darwin` or `win32`: decides which modifier key the shortcuts name. */
  platform: z.string(),
  /** BCP 47, as reported by the system. */
  locale: z.string(),
})
export type AppInfo = z.infer<typeof AppInfo>

/** The file managers of this computer's platform; see `ManagerState` in `ports.ts`. */
const Managers = z.object({
  managers: z.array(
    z.object({
      id: z.enum(MANAGER_IDS),
      isThere: z.boolean(),
      entry: z.enum(['absent', 'current', 'older', 'another']),
    }),
  ),
})

const external = z.enum(['documentation', 'source', 'issues'])

export const appCalls = {
  /** Facts for a bug report without keys, paths, file names or texts. */
  'app.diagnostics': { by: 'page', request: nothing, response: z.object({ filename: z.string(), text: z.string() }) },
  /** Where this Hangar shows its page to browsers; null where it shows none. */
  'app.origin': { by: 'engine', request: nothing, response: z.object({ origin: z.string().nullable() }) },
  'app.revealData': { by: 'page', request: nothing, response: nothing },
  'app.openExternal': { by: 'page', request: z.object({ link: external }), response: nothing },
  'app.fileManagers': { by: 'page', request: nothing, response: Managers },
  /** Puts Hangar's entries into the file managers that are there, or takes them out of all. */
  'app.setFileManagers': { by: 'page', request: z.object({ installed: z.boolean() }), response: Managers },
} as const satisfies Calls
