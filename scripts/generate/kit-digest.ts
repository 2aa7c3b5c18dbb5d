import { join } from 'node:path'
// Version 5 has TypeScript's JavaScript API, which version 7 no longer has.
import ts from 'typescript-5'
import { ROOT } from '../lib.ts'

const ENTRY_FILE = join(ROOT, 'runtime/react.ts')
/**
 * Matches the files of the app kit. What other files export belongs to a capability and is described in its guide. `money.ts` is left out,
 * because the guide describes `formatMoney` together with the fields that contain money.
 */
const KIT_PATH = /\/runtime\/(?:ui\/|web\/(?!money\.ts)|data\/client\/(?:hooks|use-api)\.ts)/
const RUNTIME_PATH = /\/runtime\/(?!node_modules)/
const DIGEST_HEADING = '### Every export'

/** Returns the guide with a new list of everything that the app kit exports, generated from its types. */
export function withKitDigest(guide: string): string {
  const start = guide.indexOf(`${DIGEST_HEADING}\n`)
  const end = guide.indexOf('\n## ', start)
  if (start < 0 || end < 0) throw new Error(`docs/guides/app.md has no section "${DIGEST_HEADING}".`)
  return `${guide.slice(0, start)}${DIGEST_HEADING}\n\n\`\`\`\n${digestKit().join('\n')}\n\`\`\`\n${guide.slice(end)}`
}

/** Returns one line per export, such as `Notice: kind?: 'bad' | 'warn' | 'good', children`. */
function digestKit(): string[] {
  const program = ts.createProgram([ENTRY_FILE], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    jsx: ts.JsxEmit.ReactJSX,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
  })
  const checker = program.getTypeChecker()
  const entry = program.getSourceFile(ENTRY_FILE)
  const module = entry && checker.getSymbolAtLocation(entry)
  if (module === undefined) throw new Error('runtime/react.ts exports nothing.')
  return checker
    .getExportsOfModule(module)
    .map((symbol) => declarationLine(checker, symbol))
    .filter((line) => line !== null)
    .sort((a, b) => a.localeCompare(b, 'en'))
}

function declarationLine(checker: ts.TypeChecker, alias: ts.Symbol): string | null {
  const symbol = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias
  const [declaration] = symbol.declarations ?? []
  if (declaration === undefined || !KIT_PATH.test(declaration.getSourceFile().fileName)) return null
  const { name } = alias
  if (ts.isInterfaceDeclaration(declaration))
    return `type ${name} = { ${propsOf(checker, checker.getDeclaredTypeOfSymbol(symbol))} }`
  const type = checker.getTypeOfSymbol(symbol)
  const [signature] = type.getCallSignatures()
  if (ts.isClassDeclaration(declaration)) return name
  if (signature === undefined) return `${name}: ${membersOf(type)}`
  if (!/^[A-Z]/.test(name)) return functionLine(checker, name, signature)
  const [props] = signature.getParameters()
  return props === undefined ? name : `${name}: ${propsOf(checker, checker.getTypeOfSymbol(props))}`
}

function membersOf(type: ts.Type): string {
  return type
    .getProperties()
    .map(({ name }) => name)
    .join(', ')
}

function functionLine(checker: ts.TypeChecker, name: string, signature: ts.Signature): string {
  const parameters = signature.getParameters().map((parameter) => {
    const declaration = parameter.valueDeclaration
    if (declaration === undefined || !ts.isParameter(declaration)) return parameter.name
    const isOptional = declaration.questionToken !== undefined || declaration.initializer !== undefined
    const label = ts.isIdentifier(declaration.name) ? parameter.name : 'options'
    const words = typeText(checker, checker.getTypeOfSymbol(parameter), declaration)
    return `${label}${isOptional ? '?' : ''}${words === 'string' ? '' : `: ${words}`}`
  })
  const result = resultOf(checker, signature)
  return `${name}(${parameters.join(', ')})${result === 'void' ? '' : `: ${result}`}`
}

function resultOf(checker: ts.TypeChecker, signature: ts.Signature): string {
  const type = signature.getReturnType()
  const isOwn = [type.symbol, type.aliasSymbol].some((symbol) =>
    symbol?.declarations?.some((node) => RUNTIME_PATH.test(node.getSourceFile().fileName)),
  )
  if (isOwn && type.getProperties().length > 0) return `{ ${propsOf(checker, type)} }`
  return shortenType(checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation))
}

/** The props that every field of a form has. The list contains `...field` in their place. */
const OF_EVERY_FIELD = new Set(['onChange', 'label', 'error', 'hint', 'required', 'id'])

/** Lists the props that the kit itself declares. The props of the HTML element are listed as `...element`. */
function propsOf(checker: ts.TypeChecker, type: ts.Type): string {
  const props = type.getProperties()
  const isField = ['value', 'onChange'].every((name) =>
    props.some((prop) => prop.name === name && !isOfReact(prop)),
  )
  const own = props.filter((prop) => !isOfReact(prop) && !(isField && OF_EVERY_FIELD.has(prop.name)))
  const words = own.map((prop) => propOf(checker, prop))
  if (isField) words.push('...field')
  if (props.some(isOfReact)) words.push('...element')
  return words.join(', ')
}

const isOfReact = (prop: ts.Symbol): boolean =>
  prop.declarations?.some((node) => node.getSourceFile().fileName.includes('node_modules/@types/react')) ===
  true

/** Formats a prop, such as `title?(row)` or `busy?: boolean`. A string and rendered content are listed without a type. */
function propOf(checker: ts.TypeChecker, prop: ts.Symbol): string {
  const name = prop.flags & ts.SymbolFlags.Optional ? `${prop.name}?` : prop.name
  const type = checker.getTypeOfSymbol(prop)
  const [signature] = checker.getNonNullableType(type).getCallSignatures()
  const isNullable = type.isUnion() && type.types.some((one) => one.flags & ts.TypeFlags.Null)
  if (signature !== undefined && !isNullable) {
    const given = signature.getParameters().map((parameter) => parameter.name)
    const result = shortenType(checker.typeToString(signature.getReturnType()))
    return `${name}(${given.join(', ')})${SAYS_NOTHING.has(result) ? '' : `: ${result}`}`
  }
  const words = typeText(checker, type, prop.valueDeclaration)
  return SAYS_NOTHING.has(words) ? name : `${name}: ${words}`
}

const SAYS_NOTHING = new Set(['string', 'ReactNode', 'void', 'unknown'])

/** Formats a type. A type of the kit is replaced by its members or values, because its name tells a reader nothing. */
function typeText(checker: ts.TypeChecker, type: ts.Type, at: ts.Declaration | undefined): string {
  const written =
    at !== undefined && (ts.isPropertySignature(at) || ts.isParameter(at)) ? (at.type?.getText() ?? '') : ''
  const element = checker.isArrayType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)[0]
    : undefined
  const isLocal = element?.symbol?.declarations?.[0]?.getSourceFile() === at?.getSourceFile()
  if (element !== undefined && isLocal && !written.includes('<') && element.getProperties().length > 0)
    return `{ ${propsOf(checker, element)} }[]`
  const values = type.isUnion() ? type.types : [type]
  const isListed = values.every((one) => one.isLiteral() || one.flags & ts.TypeFlags.Undefined)
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias
  if (written.startsWith("'")) return shortenType(written)
  if (isListed) return shortenType(checker.typeToString(checker.getNonNullableType(type), undefined, flags))
  return shortenType(
    written === '' || written === 'V' ? checker.typeToString(type, undefined, flags) : written,
  )
}

/** Shortens a type to one line, without the parts that tell a reader nothing. */
const shortenType = (type: string): string =>
  type
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' | undefined', '')
    .replaceAll(/Extract<keyof (?:RecordOf|InputOf)<C>, string>/g, 'Field')
    .replaceAll(/<[CR]>/g, '')
    .replaceAll('readonly ', '')
    .replaceAll('"', "'")
    .replaceAll(' | ', '|')
    .replaceAll('; }', ' }')
    .replaceAll(/(\w): string([;,) ])/g, '$1$2')
    .replaceAll(';', ',')
