/**
 * Module of the internal worker `_data` that gives the REST API access to a D1 database: executes statements
 * in one transaction, or returns raw rows without column names, or an SQL dump.
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
