/**
 * Module of the internal worker `_data` that gives the REST API access to a D1 database. `query` and `raw` execute
 * statements in one transaction; `raw` returns rows as arrays, with the column names once. `dump` returns an SQL dump.
 *
 * `raw` calls the database's service, because the binding returns rows as arrays only for single statements, and without `meta`.
 */
export const d1Source = `
const prepare = (db) => ({ sql, params }) => db.prepare(sql).bind(...(params ?? []))
async function readRaw(service, statements) {
  const asStored = (param) => (typeof param === 'boolean' ? Number(param) : param)
  const body = JSON.stringify(statements.map(({ sql, params }) => ({ sql, params: (params ?? []).map(asStored) })))
  const response = await service.fetch('http://d1/query?resultsFormat=ROWS_AND_COLUMNS', { method: 'POST', body })
  const found = await response.json()
  if (!Array.isArray(found)) throw new Error(found.error)
  return found
}
const actionsByName = {
  query: (db, statements) => db.batch(statements.map(prepare(db))),
  raw: (db, statements, service) => {
    // Throws for a parameter of a type that D1 does not have.
    statements.forEach(prepare(db))
    return readRaw(service, statements)
  },
  // Miniflare's database object returns the lines of an SQL dump for this statement.
  dump: (db, params) => db.prepare('PRAGMA miniflare_d1_export(?,?,?);').bind(...params).raw(),
}
export default async (db, request, query, service) =>
  Response.json(await actionsByName[query.get('do')](db, await request.json(), service))
`
