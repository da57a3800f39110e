import process from 'node:process'

/** What a process that a test starts gets of this one's environment, before its own: where programs are, and Node's cache. */
export function childEnvironment(): { PATH?: string; NODE_COMPILE_CACHE?: string } {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  }
}
