import { dirname, join } from 'node:path'
import ts from 'typescript-5'

/**
 * Returns each file that uses the key of a capability, with the key. A key counts as used when it is passed to `has`, to `includes` or to a
 * parameter for keys, when it is compared with or assigned to a `key`, when it is in an object whose type contains `CapabilityKey`, and
 * when the file imports from the capability's folder. The same word with another meaning, such as the state `live`, is not counted. Tests,
 * generated modules and the folder of the capability itself are left out.
 */
export function namedKeys(
  sources: readonly { path: string; text: string }[],
  folders: ReadonlyMap<string, string>,
): { path: string; key: string }[] {
  const files = sources
    .filter(({ path, text }) => !/\.test\.|\/testing\b/.test(path) && !text.startsWith('// Made by'))
    .map(({ path, text }) => ({ path, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }))
  const keyPositions = new Map<string, Set<number>>()
  for (const { file } of files) visitAll(file, (node) => addKeyPositions(node, keyPositions))
  return files.flatMap(({ path, file }) => {
    const named = new Set<string>()
    visitAll(file, (node) => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
        const target = node.moduleSpecifier
        if (target === undefined || !ts.isStringLiteral(target)) return
        const imported = join(dirname(path), target.text)
        for (const [key, folder] of folders) if (imported.startsWith(`${folder}/`)) named.add(key)
      } else if (isKeyOfRecord(node) || (ts.isStringLiteral(node) && isUsedAsKey(node, keyPositions))) {
        named.add(node.text)
      }
    })
    return [...named].flatMap((key) => {
      const folder = folders.get(key)
      return folder === undefined || path.startsWith(`${folder}/`) ? [] : [{ path, key }]
    })
  })
}

function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => visitAll(child, visit))
}

const isKeyName = (name: string | undefined): boolean => name === 'key' || name === 'capability'

/** Adds the positions of a named function's parameters that take a capability key. */
function addKeyPositions(node: ts.Node, positions: Map<string, Set<number>>): void {
  const isFunction =
    ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isMethodDeclaration(node)
  if (!isFunction) return
  const named = ts.isArrowFunction(node) ? node.parent : node
  if (!('name' in named) || named.name === undefined) return
  const name = (named.name as ts.Node).getText()
  for (const [position, parameter] of node.parameters.entries()) {
    const isForKeys = isKeyName(parameter.name.getText()) || parameter.type?.getText() === 'CapabilityKey'
    if (isForKeys) positions.set(name, (positions.get(name) ?? new Set()).add(position))
  }
}

/** Returns whether an identifier names a property of an object literal whose type contains `CapabilityKey`. */
const isKeyOfRecord = (node: ts.Node): node is ts.Identifier =>
  ts.isIdentifier(node) &&
  ts.isObjectLiteralElement(node.parent) &&
  node.parent.name === node &&
  hasKeyType(node.parent.parent)

/** Returns whether the declared type of an object literal contains `CapabilityKey`. */
function hasKeyType({ parent }: ts.Node): boolean {
  const isTyped = ts.isVariableDeclaration(parent) || ts.isSatisfiesExpression(parent)
  return isTyped && /\bCapabilityKey\b/.test(parent.type?.getText() ?? '')
}

function isUsedAsKey(literal: ts.StringLiteral, positions: ReadonlyMap<string, Set<number>>): boolean {
  let value: ts.Node = literal
  while (isTransparent(value.parent, value)) value = value.parent
  const { parent } = value
  if (ts.isCallExpression(parent)) {
    const name = lastName(parent.expression)
    const position = parent.arguments.findIndex((argument) => argument === value)
    return name === 'has' || name === 'includes' || positions.get(name ?? '')?.has(position) === true
  }
  if (ts.isBinaryExpression(parent))
    return [parent.left, parent.right].some((side) => isKeyName(lastName(side)))
  if (!ts.isPropertyAssignment(parent) && !ts.isVariableDeclaration(parent)) return false
  if (parent.initializer !== value) return false
  return isKeyName(parent.name.getText()) || hasKeyType(parent.parent)
}

/** Returns whether `outer` may evaluate to the value of `inner`, or to a list that contains this value. */
function isTransparent(outer: ts.Node, inner: ts.Node): boolean {
  if (ts.isConditionalExpression(outer)) return outer.condition !== inner
  return (
    ts.isArrayLiteralExpression(outer) ||
    ts.isAsExpression(outer) ||
    ts.isParenthesizedExpression(outer) ||
    ts.isSpreadElement(outer)
  )
}

function lastName(expression: ts.Node): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined
}
