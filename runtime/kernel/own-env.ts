// Must be imported before any code of the app. Text bindings are also in `process.env`, where app code could
// read the key that signs the cookie for the access code. The kernel reads it from `cloudflare:workers`,
// which app code cannot import.
const nodeHost = globalThis as { process?: { env: Record<string, unknown> } }
delete nodeHost.process?.env['APP_GATE']
