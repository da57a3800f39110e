/** Made by electron.vite.config.ts: by language, `start` and each of `LATER_TEXTS`. */
declare module 'virtual:texts' {
  const texts: Record<string, Record<string, () => Promise<Record<string, object>>>>
  export default texts
}
