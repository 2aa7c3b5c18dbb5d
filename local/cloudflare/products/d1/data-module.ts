/**
 * Module of the internal worker `_data` that gives the REST API access to a D1 database. `query` executes statements in
 * one transaction. `raw` executes them one after the other and returns rows as arrays, with the column names once.
 * `dump` returns an SQL dump.
 */
export const d1Source = `
const prepare = (db) => ({ sql, params }) => db.prepare(sql).bind(...(params ?? []))
async function readRaw(statement) {
  const [columns, ...rows] = await statement.raw({ columnNames: true })
  return { success: true, results: { columns: columns ?? [], rows }, meta: {} }
}
const actionsByName = {
  query: (db, statements) => db.batch(statements.map(prepare(db))),
  raw: async (db, statements) => {
    const results = []
    for (const statement of statements) results.push(await readRaw(prepare(db)(statement)))
    return results
  },
  // Miniflare's database object returns the lines of an SQL dump for this statement.
  dump: (db, params) => db.prepare('PRAGMA miniflare_d1_export(?,?,?);').bind(...params).raw(),
}
export default async (db, request, query) => Response.json(await actionsByName[query.get('do')](db, await request.json()))
`
