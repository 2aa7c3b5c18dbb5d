// Deletes the key that signs the cookie for the access code from `process.env`, which contains all text bindings
// and which app code can read. The kernel reads the key from `cloudflare:workers`, which app code cannot import.
// Must be imported before any code of the app.
const nodeHost = globalThis as { process?: { env: Record<string, unknown> } }
delete nodeHost.process?.env['APP_GATE']
