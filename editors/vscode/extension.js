// Starts `sluice lsp` for kernels and their configurations.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function start() {
  const settings = vscode.workspace.getConfiguration('sluice');
  const server = {
    command: settings.get('path'),
    args: ['lsp', ...settings.get('arguments')],
  };
  const options = {
    // The server leaves YAML files of other programs alone.
    documentSelector: [
      { language: 'mlir' },
      { scheme: 'file', language: 'yaml' },
    ],
    initializationOptions: { compile: settings.get('compile') },
  };
  client = new LanguageClient('sluice', 'Sluice', server, options);
  return client.start();
}

async function activate(context) {
  const restart = async () => {
    await client?.stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('sluice.restart', restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('sluice')) {
        restart();
      }
    }),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
