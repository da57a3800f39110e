import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '../..')

/** Finds nodes below one; said in words for who has to mend it. */
export interface Query {
  what: string
  matches: (node: ts.Node) => boolean
}

/** What becomes of the one node that a query finds. */
export interface Change {
  query: Query
  /** The node to replace, from the one found; that one if absent. */
  target?: (found: ts.Node) => ts.Node | undefined
  text: (target: ts.Node, file: ts.SourceFile) => string
}

/** Where a change is made: a query in the function, method, property or constant with this name. */
export interface Place {
  file: string
  in: string
  change: Change
  /** A line at the head of the file. */
  header?: string
}

const nameOf = (node: ts.Node): string | null =>
  ts.isIdentifier(node) || ts.isPrivateIdentifier(node)
    ? node.text
    : ts.isPropertyAccessExpression(node)
      ? node.name.text
      : null

function all(node: ts.Node, matches: (node: ts.Node) => boolean): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    if (matches(each)) found.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}

const mentions = (node: ts.Node, name: string) => all(node, (each) => nameOf(each) === name).length > 0

/** A call of a function or method with this name, whatever it is called on and with. */
export const call = (name: string): Query => ({
  what: `call of ${name}`,
  matches: (node) => ts.isCallExpression(node) && nameOf(node.expression) === name,
})

/** An `if` whose condition mentions this name. */
export const conditionOn = (name: string): Query => ({
  what: `"if" on ${name}`,
  matches: (node) => ts.isIfStatement(node) && mentions(node.expression, name),
})

/** `left || right` where `right` mentions this name. */
export const alternative = (name: string): Query => ({
  what: `"||" before ${name}`,
  matches: (node) =>
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.BarBarToken && mentions(node.right, name),
})

/** `object.name`, read. */
export const property = (name: string): Query => ({
  what: `property ${name}`,
  matches: (node) => ts.isPropertyAccessExpression(node) && node.name.text === name,
})

/** `name: …` in an object. */
export const member = (name: string): Query => ({
  what: `member ${name}`,
  matches: (node) => ts.isPropertyAssignment(node) && nameOf(node.name) === name,
})

export const literal = (text: string): Query => ({
  what: `literal '${text}'`,
  matches: (node) => ts.isStringLiteral(node) && node.text === text,
})

/** `const name = …` */
export const variable = (name: string): Query => ({
  what: `variable ${name}`,
  matches: (node) => ts.isVariableDeclaration(node) && nameOf(node.name) === name,
})

const statementOf = (found: ts.Node): ts.Node | undefined => ts.findAncestor(found, ts.isStatement)

/** Takes out the whole statement that holds what is found. */
export const withoutStatement = (query: Query): Change => ({ query, target: statementOf, text: () => '{}' })

/** Puts other code in the place of the whole statement. */
export const otherStatement = (query: Query, text: string): Change => ({ query, target: statementOf, text: () => text })

/** Puts other code in the place of what is found; `ARGS` stands for the arguments of a call. */
export const instead = (query: Query, text: string): Change => ({
  query,
  text: (found, file) =>
    text.replace('ARGS', () =>
      ts.isCallExpression(found) ? found.arguments.map((one) => one.getText(file)).join(', ') : '',
    ),
})

/** Leaves the left side of `left || right` alone. */
export const leftOnly = (query: Query): Change => ({
  query,
  text: (found, file) => (ts.isBinaryExpression(found) ? found.left.getText(file) : ''),
})

export const otherValue = (query: Query, text: string): Change => ({
  query,
  target: (found) =>
    ts.isVariableDeclaration(found) || ts.isPropertyAssignment(found) ? found.initializer : undefined,
  text: () => text,
})

/** Other words in SQL that stands as one text, where these stand once. */
export const otherSql = (from: string, to: string): Change => ({
  query: {
    what: `SQL with "${from}"`,
    matches: (node) => ts.isNoSubstitutionTemplateLiteral(node) && node.text.split(from).length === 2,
  },
  text: (found, file) => found.getText(file).replace(from, () => to),
})

export const otherArgument = (query: Query, n: number, text: string): Change => ({
  query,
  target: (found) => (ts.isCallExpression(found) ? found.arguments[n] : undefined),
  text: () => text,
})

const isNamed = (node: ts.Node, name: string): boolean =>
  (ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node)) &&
  node.name !== undefined &&
  nameOf(node.name) === name

/**
 * The file with the change made. Throws, with what was looked for and how often it was found, when its place is not there
 * exactly once any more.
 */
export function mutate({ file, in: name, change, header }: Place): string {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const scopes = all(tree, (node) => isNamed(node, name))
  if (scopes.length !== 1) throw new Error(`${file}: "${name}" stands there ${scopes.length} times, not once`)
  const { query } = change
  const found = all(scopes[0]!, query.matches)
  if (found.length !== 1)
    throw new Error(
      `${file}, ${name}: ${query.what} is there ${found.length} times, not once; see test/faults/mutations.ts`,
    )
  const target = change.target === undefined ? found[0] : change.target(found[0]!)
  if (target === undefined) throw new Error(`${file}, ${name}: ${query.what} has no such part`)
  const text = change.text(target, tree)
  const changed = source.slice(0, target.getStart(tree)) + text + source.slice(target.getEnd())
  return header === undefined ? changed : `${header}\n${changed}`
}
