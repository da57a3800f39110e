/** The page's own world, before the page: builds what the preload exposes, with functions that call into its world. */
;(() => {
  const pending = new Map()
  const callbacks = new Map()
  let count = 0
  let returned = null

  const toPreload = (detail) => window.dispatchEvent(new CustomEvent('stand-in:to-preload', { detail }))

  const build = (shape) => {
    if (shape.type === 'function') return (...args) => call(shape.id, args)
    if (shape.type === 'value') return shape.value
    return Object.freeze(Object.fromEntries(shape.members.map(([name, member]) => [name, build(member)])))
  }

  const encode = (argument) => {
    if (typeof argument !== 'function') return { type: 'value', value: argument }
    count += 1
    callbacks.set(count, argument)
    return { type: 'callback', id: count }
  }

  const call = (id, args) => {
    count += 1
    const number = count
    // Events cross worlds at once: what the other side returned or threw is known when this comes back.
    toPreload({ kind: 'call', call: number, id, args: args.map(encode) })
    if (returned.kind === 'threw') throw new Error(returned.message)
    if (!returned.promise) return build(returned.result)
    return new Promise((resolve, reject) => pending.set(number, { resolve, reject }))
  }

  window.addEventListener('stand-in:to-page', ({ detail }) => {
    if (detail.kind === 'expose' && !(detail.name in window))
      Object.defineProperty(window, detail.name, { value: build(detail.api), enumerable: true })
    if (detail.kind === 'returned' || detail.kind === 'threw') returned = detail
    if (detail.kind === 'callback') callbacks.get(detail.id)(...detail.args)
    if (detail.kind === 'settled') {
      const { resolve, reject } = pending.get(detail.call)
      pending.delete(detail.call)
      if (detail.ok) resolve(detail.value)
      else reject(new Error(detail.message))
    }
  })
  toPreload({ kind: 'hello' })
})()
