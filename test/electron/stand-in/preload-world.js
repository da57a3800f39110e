/**
 * The world of the preload, before it: stands in for what `require('electron')` gives a sandboxed preload. It is an
 * isolated world of Chromium, as the real one is; what crosses to the page crosses as data. `standInToMain` is a binding.
 */
// eslint-disable-next-line no-unused-vars
const standIn = (() => {
  const pending = new Map()
  const listeners = new Map()
  const functions = new Map()
  const paths = new Map()
  let count = 0
  let exposed = null

  const toPage = (detail) => window.dispatchEvent(new CustomEvent('stand-in:to-page', { detail }))
  const toMain = (message) => globalThis.standInToMain(JSON.stringify(message))

  /** A copy with functions by number, as the context bridge does it. */
  const encode = (value) => {
    if (typeof value === 'function') {
      count += 1
      functions.set(count, value)
      return { type: 'function', id: count }
    }
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return { type: 'object', members: Object.entries(value).map(([name, member]) => [name, encode(member)]) }
    return { type: 'value', value }
  }

  const decode = (argument) =>
    argument.type === 'callback' ? (...args) => toPage({ kind: 'callback', id: argument.id, args }) : argument.value

  window.addEventListener('stand-in:to-preload', ({ detail }) => {
    if (detail.kind === 'hello') {
      if (exposed !== null) toPage({ kind: 'expose', ...exposed })
      return
    }
    try {
      const result = functions.get(detail.id)(...detail.args.map(decode))
      if (!(result instanceof Promise)) return toPage({ kind: 'returned', call: detail.call, result: encode(result) })
      toPage({ kind: 'returned', call: detail.call, promise: true })
      result.then(
        (value) => toPage({ kind: 'settled', call: detail.call, ok: true, value }),
        (error) => toPage({ kind: 'settled', call: detail.call, ok: false, message: String(error) }),
      )
    } catch (error) {
      toPage({ kind: 'threw', call: detail.call, message: String(error) })
    }
  })

  globalThis.standInFromMain = (message) => {
    if (message.kind === 'paths') for (const [name, path] of Object.entries(message.paths)) paths.set(name, path)
    if (message.kind === 'message')
      for (const listener of listeners.get(message.channel) ?? []) listener({}, ...message.args)
    if (message.kind === 'answer') {
      const { resolve, reject } = pending.get(message.id)
      pending.delete(message.id)
      if (message.ok) resolve(message.value)
      else reject(new Error(message.message))
    }
  }

  const electron = {
    contextBridge: {
      exposeInMainWorld(name, api) {
        exposed = { name, api: encode(api) }
        toPage({ kind: 'expose', ...exposed })
      },
    },
    ipcRenderer: {
      invoke(channel, ...args) {
        count += 1
        const id = count
        return new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject })
          toMain({ kind: 'invoke', id, channel, args })
        })
      },
      send: (channel, ...args) => toMain({ kind: 'send', channel, args }),
      on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
      off: (channel, listener) =>
        listeners.set(
          channel,
          (listeners.get(channel) ?? []).filter((other) => other !== listener),
        ),
    },
    webUtils: {
      getPathForFile(file) {
        if (!(file instanceof File)) throw new TypeError('not a File')
        return paths.get(file.name) ?? ''
      },
    },
  }
  return {
    require(name) {
      if (name !== 'electron') throw new Error(`a sandboxed preload cannot load ${name}`)
      return electron
    },
  }
})()
