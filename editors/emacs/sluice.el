;;; sluice.el --- Kernels for Sluice, with its language server  -*- lexical-binding: t; -*-

;; Emacs 29 or later.  Put this file into a folder of `load-path', and (require 'sluice) into the init file.
;; Then M-x eglot in a kernel or a configuration starts the server.

;;; Code:

(require 'eglot)

(defvar mlir-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (sign '(?% ?@ ?^ ?! ?# ?_ ?. ?$))
      (modify-syntax-entry sign "_" table))
    table)
  "Syntax table of `mlir-mode'.")

(define-derived-mode mlir-mode prog-mode "MLIR"
  "Major mode for modules of MLIR."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "//+ *")
  (setq-local indent-tabs-mode nil))

(add-to-list 'auto-mode-alist '("\\.mlir\\'" . mlir-mode))

;; Set :compile to :json-false to stop the compilation in the background.
(add-to-list 'eglot-server-programs
             '((mlir-mode yaml-mode yaml-ts-mode)
               . ("sluice" "lsp" :initializationOptions (:compile t))))

(provide 'sluice)
;;; sluice.el ends here
