import {
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  valueFromASTUntyped,
} from 'graphql'

export type ResolvedValue = string | number | FieldResolvers | ResolvedValue[]
export interface FieldResolvers {
  [name: string]: (args: Record<string, unknown>, node: FieldNode) => ResolvedValue
}

/** The body of the response. As at the provider, `errors` is null when there are none. */
export interface QueryResult {
  data: unknown
  errors: { message: string; path: string[] | null; extensions: { code: string } }[] | null
}

/** An error in the provider's format: a code in the body, with HTTP status 200. */
export class QueryRefusal extends Error {
  readonly code: string
  constructor(message: string, code = 'internal') {
    super(message)
    this.code = code
  }
}

// The maximum depth of a query; no known client nests deeper.
const DEPTH_MAX = 8

/** Executes one query against a tree of resolvers. Refuses fragments and mutations, which no known client uses. */
export function executeQuery(
  text: string,
  variables: Record<string, unknown>,
  root: FieldResolvers,
): QueryResult {
  const path: string[] = []
  let values = variables
  try {
    const operation = readOperation(text)
    values = { ...defaultsOf(operation), ...variables }
    return { data: resolveFields(operation.selectionSet.selections, root), errors: null }
  } catch (error) {
    if (!(error instanceof QueryRefusal) && !(error instanceof GraphQLError)) throw error
    const code = error instanceof QueryRefusal ? error.code : 'parse'
    return {
      data: null,
      errors: [{ message: error.message, path: path.length === 0 ? null : path, extensions: { code } }],
    }
  }

  function resolveFields(
    selections: OperationDefinitionNode['selectionSet']['selections'],
    fields: FieldResolvers,
  ): object {
    const found: Record<string, unknown> = {}
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD)
        throw new QueryRefusal('fragments are not available in the local cloud')
      const name = selection.name.value
      path.push(name)
      if (path.length > DEPTH_MAX) throw new QueryRefusal('the query is too deep')
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field === undefined) throw new QueryRefusal(`unknown field "${name}"`)
      found[selection.alias?.value ?? name] = completeValue(
        field(readArguments(selection, values), selection),
        selection,
      )
      path.pop()
    }
    return found
  }

  function completeValue(value: ResolvedValue, node: FieldNode): unknown {
    if (Array.isArray(value)) return value.map((item) => completeValue(item, node))
    if (typeof value !== 'object') return value
    if (node.selectionSet === undefined)
      throw new QueryRefusal(`"${node.name.value}" needs a selection of fields`)
    return resolveFields(node.selectionSet.selections, value)
  }
}

function readOperation(text: string): OperationDefinitionNode {
  const operations = parse(text, { maxTokens: 5000 }).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )
  const [operation] = operations
  if (operation === undefined || operations.length > 1 || operation.operation !== 'query')
    throw new QueryRefusal('exactly one query is needed')
  return operation
}

/** Returns, by name, the default values of the variables that declare one. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  )
}

function readArguments(node: FieldNode, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    (node.arguments ?? []).map((argument) => [
      argument.name.value,
      valueFromASTUntyped(argument.value, variables),
    ]),
  )
}

/** Returns the names of the fields inside `field`: `scriptName` for `dimensions { scriptName }`. */
export function selectedFields(node: FieldNode, field: string): string[] {
  const inner = (node.selectionSet?.selections ?? []).find(
    (one) => one.kind === Kind.FIELD && one.name.value === field,
  )
  if (inner?.kind !== Kind.FIELD) return []
  return (inner.selectionSet?.selections ?? []).flatMap((one) =>
    one.kind === Kind.FIELD ? [one.name.value] : [],
  )
}
