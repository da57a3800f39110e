import type { Page } from 'playwright-core'

interface AxNode {
  nodeId: string
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  properties?: { name: string; value: { value?: unknown } }[]
  childIds?: string[]
}

/** One thing in the tree that Chromium gives to a screen reader. */
export interface Heard {
  role: string
  name: string
  /** `level 2`, `checked`, `expanded`, … */
  states: readonly string[]
  /** The named parts around it, outermost first. */
  within: readonly string[]
}

/** What a person is led through; the rest is text, or holds these together. */
const ROLES = new Set(
  [
    'alert application button cell checkbox columnheader combobox complementary Date DateTime dialog DisclosureTriangle figure',
    'form grid gridcell group heading image img link list listbox log main menu menuitem navigation option',
    'ProgressIndicator progressbar radio radiogroup region row rowheader searchbox slider spinbutton status switch',
    'tab table textbox toolbar treegrid',
  ]
    .join(' ')
    .split(' '),
)
/** Of these, only those with a name. */
const NAMED_ONLY = new Set(['figure', 'form', 'group', 'image', 'img', 'list', 'status', 'alert'])
const CONTAINERS = new Set(['complementary', 'dialog', 'group', 'navigation', 'radiogroup', 'region', 'row', 'toolbar'])
/** What the browser shows in them is its own. */
const OF_THE_BROWSER = new Set(['combobox', 'Date', 'DateTime', 'InputTime'])
const STATES = ['checked', 'pressed', 'expanded', 'disabled', 'invalid']

/** The accessibility tree of the page in reading order, as Chromium makes it. */
export async function accessibilityTree(page: Page): Promise<Heard[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] }
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const heard: Heard[] = []
  const walk = (node: AxNode, within: readonly string[]) => {
    const role = node.role?.value ?? ''
    const name = (node.name?.value ?? '').replaceAll(/\s+/g, ' ').trim()
    const counts = !node.ignored && ROLES.has(role) && (name !== '' || !NAMED_ONLY.has(role))
    // The name of a row is that of its cells.
    if (counts) heard.push({ role, name: role === 'row' ? '' : name, states: statesOf(node), within })
    if (OF_THE_BROWSER.has(role)) return
    const inside = counts && CONTAINERS.has(role) ? [...within, `${role} ${name}`] : within
    for (const id of node.childIds ?? []) {
      const child = byId.get(id)
      if (child !== undefined) walk(child, inside)
    }
  }
  if (nodes[0] !== undefined) walk(nodes[0], [])
  return heard
}

function statesOf({ properties = [] }: AxNode): string[] {
  const of = new Map(properties.map(({ name, value }) => [name, value.value]))
  const states = STATES.filter((name) => of.get(name) === true || of.get(name) === 'true')
  return of.has('level') ? [`level ${String(of.get('level'))}`, ...states] : states
}

/** As it is written down by hand: `heading Pictures (level 1)`. */
export const inWords = ({ role, name, states }: Heard): string =>
  [role, name, states.length === 0 ? '' : `(${states.join(', ')})`].filter(Boolean).join(' ')

const CONTROLS = /^(button|link|textbox|searchbox|combobox|checkbox|radio|slider|spinbutton|listbox|menuitem)$/

/** Controls without a name, and those that cannot be told apart where they are. */
export function unclear(heard: readonly Heard[]): string[] {
  const controls = heard.filter(({ role }) => CONTROLS.test(role))
  const known = new Set<string>()
  return controls.flatMap((one) => {
    const whole = [...one.within, `${one.role} ${one.name}`].join(' > ')
    if (one.name === '') return [`no name: ${whole}`]
    if (known.has(whole)) return [`twice: ${whole}`]
    known.add(whole)
    return []
  })
}
