/** A page with nothing but the bridge, for web-bridge.test.ts to look at from outside. */
import { connection, connectToShell } from '../../../src/renderer/bridge/connect.ts'
import { resourceUrl } from '../../../src/renderer/bridge/resource-url.ts'

const bridge = connectToShell()
const messages: unknown[] = []
bridge.onMessage((message) => {
  messages.push(message)
  bridge.acknowledge(message.seq)
})
Object.assign(window, { probe: { bridge, connection, messages, resourceUrl } })
