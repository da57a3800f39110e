/** Built by electron.vite.config.ts. */
declare module 'virtual:base-map' {
  const address: string
  export default address
}
