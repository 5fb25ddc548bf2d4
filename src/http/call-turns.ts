// When a call may begin: one in a round of the event loop. What a call costs the main thread it mostly costs at once, so
// that else mail, new connections and health checks would stand behind all calls that came together, and not behind one.

/**
 * Undefined: at once, because this round has no call yet, or one of the same connection, whose calls are in a row.
 * Otherwise resolves in the order of those who ask.
 */
export function createCallTurns(): (connection: object) => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let current: object | undefined;
  const endRound = () => {
    current = undefined;
    waiting.shift()?.();
  };
  const begin = (connection: object) => {
    current = connection;
    setImmediate(endRound);
  };
  return (connection) => {
    if (current === connection) return undefined;
    if (current === undefined) return void begin(connection);
    return new Promise((resolve) => {
      waiting.push(() => {
        begin(connection);
        resolve();
      });
    });
  };
}
